"""Which call a thread or task works on, told by the header of its request."""

from fossick_probe.recorder import CURRENT, RECORDER, STRAY

HEADER = "x-fossick-call"


def number(word):
    """The number in a header; nothing if it is none."""
    if isinstance(word, bytes):
        word = word.decode("latin-1")
    if not isinstance(word, str) or not (word.isascii() and word.isdigit()):
        return None
    value = int(word)
    return value if 0 < value < 1 << 64 else None


class Binding:
    """While it lasts, the thread or task works on a call."""

    __slots__ = ("call", "before")

    def __init__(self, call):
        self.before = CURRENT.get()
        self.call = call
        with RECORDER.lock:
            call.active += 1
        CURRENT.set(call)

    def end(self):
        # Not with a token: it may end in another context than it began in.
        CURRENT.set(self.before)
        with RECORDER.lock:
            self.call.active -= 1

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.end()


class Nothing:
    """Where there is no call to bind to."""

    def end(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


NOTHING = Nothing()


def bind(word):
    """Begins the call that a request belongs to, unless it was begun already further out."""
    call = number(word)
    if call is None:
        return NOTHING
    current = CURRENT.get()
    if current.number == call and current is RECORDER.calls.get(call):
        return NOTHING
    return Binding(RECORDER.begin(call))


def join(call):
    """A thread that works on a call somebody else has begun."""
    return NOTHING if call is STRAY or CURRENT.get() is call else Binding(call)
