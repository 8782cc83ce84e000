"""Says to the tool that this program can't be looked into, and why."""

import os
import sys
from _thread import start_new_thread

from fossick_probe import settings


def refuse_in_background():
    start_new_thread(refuse, ())


def refuse():
    try:
        from _socket import AF_UNIX, SOCK_STREAM, socket

        from fossick_probe import wire

        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.connect(settings.socket_path())
        connection.recv(4096)
        connection.send(wire.error("Python %s is not supported" % sys.version.split()[0]))
        os.close(connection.detach())
    except Exception:
        pass
