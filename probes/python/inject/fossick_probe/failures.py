"""Exceptions that leave functions of the user's own code."""

import zlib

from fossick_probe import sites, tracebacks, wire
from fossick_probe.recorder import CURRENT, MOST_FAILURES, RECORDER

LONGEST = 1024
# They end an iteration and say nothing went wrong. Others of their sort are no `Exception`s.
ORDINARY = (StopIteration, StopAsyncIteration)

# The names of the user's own files, by the name that their code objects bear.
FILES = {}


def left(error):
    if not isinstance(error, Exception) or isinstance(error, ORDINARY):
        return
    if not tracebacks.CUTS_AT_ONCE:
        tracebacks.splice(error.__traceback__)
    inner = error.__traceback__.tb_next
    if not was_told(inner):
        tell(error)


def was_told(traceback):
    """Whether it has left another function of the user's own before."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename in FILES and any(type(one) is sites.Function for one in code.co_consts):
            return True
        traceback = traceback.tb_next
    return False


class Place:
    """A line that is no site."""

    __slots__ = ("file", "line")

    def __init__(self, file, line):
        self.file, self.line = file, line


def innermost(traceback):
    place = None
    while traceback is not None:
        file = FILES.get(traceback.tb_frame.f_code.co_filename)
        if file is not None:
            place = Place(file, traceback.tb_lineno)
        traceback = traceback.tb_next
    return place


def tell(error):
    if not RECORDER.recording:
        return
    place, name, call = innermost(error.__traceback__), type(error).__name__, CURRENT.get()
    call.last = place
    if len(call.failures) >= 2 * MOST_FAILURES:
        del call.failures[:MOST_FAILURES]
    call.failures.append((name, message(error), place.file, place.line))
    # The same kind at the same place has the same number in each process.
    key = place.file, place.line, wire.EXCEPTION, zlib.crc32(name.encode())
    call.hits[RECORDER.target(key, name, None)] = 1.0


def message(error):
    """Words of the exception, unless saying them goes wrong too."""
    try:
        words = str(error)
    except Exception:
        return ""
    return words.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")
