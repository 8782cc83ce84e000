"""Stands in for the tool: greets each process, and may say that what was hit is covered."""

import os
import socket
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "inject"))

from fossick_probe import wire  # noqa: E402


class Listener:
    """Listens until it is closed. What it has heard is counted by the type of message."""

    def __init__(self, path, covers=False, pause=0.2):
        self.path, self.covers, self.pause = path, covers, pause
        self.heard = {}
        self.targets = 0
        self.processes = 0
        self.failures = []
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(64)
        self.is_closed = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.is_closed.is_set():
            try:
                stream, _ = self.server.accept()
            except OSError:
                return
            self.processes += 1
            threading.Thread(target=self.attempt, args=(stream,), daemon=True).start()

    def attempt(self, stream):
        try:
            self.serve(stream)
        except (OSError, EOFError):
            pass
        except Exception as error:
            self.failures.append(repr(error))

    def serve(self, stream):
        stream.sendall(wire.hello(os.getpid(), [], [], "fossick"))
        self.until(stream, wire.HELLO)
        while not self.is_closed.wait(self.pause):
            stream.sendall(wire.frame(wire.END, wire.number(0)))
            delta = self.until(stream, wire.DELTA)
            full = full_hits(delta)
            if self.covers and full:
                stream.sendall(covered(full))

    def until(self, stream, wanted):
        while True:
            frame = self.frame(stream)
            self.heard[frame[0]] = self.heard.get(frame[0], 0) + 1
            if frame[0] == wire.ERROR:
                raise ValueError(frame)
            if frame[0] == wire.REGISTER:
                payload = wire.Payload(frame[1:])
                payload.number()
                self.targets += payload.number()
            if frame[0] == wanted:
                return frame

    def frame(self, stream):
        return exactly(stream, wire.length(exactly(stream, wire.LENGTH.size)))

    def close(self):
        self.is_closed.set()
        self.server.close()
        os.unlink(self.path)


def exactly(stream, count):
    data = b""
    while len(data) < count:
        more = stream.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def full_hits(delta):
    """The targets that a DELTA tells as covered."""
    payload, full, following = wire.Payload(delta[1:]), [], 0
    payload.number()
    for _ in range(payload.number()):
        following += payload.number()
        if payload.take(1) == b"\1":
            full.append(following)
        else:
            payload.take(wire.REAL.size)
        following += 1
    return full


def covered(ids):
    out, following = [wire.number(len(ids))], 0
    for one in ids:
        out.append(wire.number(one - following))
        following = one + 1
    return wire.frame(wire.COVERED, b"".join(out))
