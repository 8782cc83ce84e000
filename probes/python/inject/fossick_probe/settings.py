"""What fossick says in the environment."""

import os

SOCKET = "FOSSICK_PROBE"
COVER = "FOSSICK_COVER"
CACHE = "FOSSICK_PROBE_CACHE"


def socket_path():
    return os.environ.get(SOCKET) or None


def cover():
    """The folders, files and packages that are the user's own; the current folder if not said."""
    words = (os.environ.get(COVER) or "").split(os.pathsep)
    return [word for word in words if word] or [os.getcwd()]


def cache_folder():
    return os.environ.get(CACHE) or None
