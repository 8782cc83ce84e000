"""The connection to the tool, and the thread that answers it.

The thread is none that `threading` knows of: it keeps no program alive and is in nobody's list.
Before a fork it ends, so that no lock of its can be held in the child; after, each side has a
thread of its own, and the child a connection of its own.
"""

import _signal
import os
import select
import sys
import time
from _socket import AF_UNIX, SOCK_STREAM, socket
from _thread import RLock, allocate_lock, get_native_id, start_new_thread
from functools import wraps

from fossick_probe import settings, wire
from fossick_probe.recorder import RECORDER

ABILITIES = ["lines", "branches", "calls", "methods", "exceptions", "observations", "last-line", "reads", "patterns", "sql", "header"]  # fmt: skip

# How long an END waits for threads that are still at the call.
QUIET = 0.02
GLANCE = 0.0003
# How long a fork waits for a tool that does not take its answer.
PATIENCE = 1.0
# Descriptors below this number are left to the program.
HIGH = 200

# Taken before anybody can put something else in their place.
sleep, monotonic, poll = time.sleep, time.monotonic, select.poll
POLLIN = select.POLLIN


class Link:
    """One connection, with the bytes that have come and are not understood yet."""

    def __init__(self, path, scope):
        self.scope = scope
        self.socket = connect(path)
        self.wake_out, self.wake_in = high_pipe()
        self.is_running = allocate_lock()
        self.is_greeted = False
        self.has_thread = False
        self.thread = None
        self.received = bytearray()

    def start(self):
        if not self.has_thread:
            self.has_thread = True
            self.is_running.acquire()
            start_new_thread(self.run, ())

    def pause(self):
        """Ends the thread, between two questions."""
        os.write(self.wake_in, b"x")
        if not self.is_running.acquire(True, PATIENCE):
            raise TimeoutError
        self.is_running.release()
        os.read(self.wake_out, 1)
        wait_until_gone(self.thread)
        self.has_thread = False

    def close(self):
        self.socket.close()
        os.close(self.wake_in)
        os.close(self.wake_out)

    def run(self):
        self.thread = get_native_id()
        try:
            _signal.pthread_sigmask(_signal.SIG_BLOCK, _signal.valid_signals())
            if not self.answer_all():
                RECORDER.stop()
                forget()
        except Exception:
            RECORDER.stop()
        finally:
            self.is_running.release()

    def answer_all(self):
        """Answers until the connection ends; true if it was told to pause instead."""
        events = poll()
        events.register(self.socket.fileno(), POLLIN)
        events.register(self.wake_out, POLLIN)
        while True:
            ready = [descriptor for descriptor, _ in events.poll()]
            if self.wake_out in ready:
                return True
            data = self.socket.recv(65536)
            if not data:
                return False
            self.received += data
            if not self.answer_frames():
                return False

    def answer_frames(self):
        """Answers what has come as a whole; false if that was the last."""
        while len(self.received) >= wire.LENGTH.size:
            try:
                length = wire.length(self.received[: wire.LENGTH.size])
            except wire.TooLong as error:
                self.socket.sendall(wire.error(str(error)))
                return False
            end = wire.LENGTH.size + length
            if len(self.received) < end:
                return True
            frame = bytes(self.received[wire.LENGTH.size : end])
            del self.received[:end]
            answers = self.answer_frame(frame)
            if answers is None:
                return False
            self.socket.sendall(b"".join(answers))
        return True

    def answer_frame(self, frame):
        try:
            message, *fields = wire.read(frame)
        except wire.FrameError as error:
            return [wire.error(str(error))]
        if message == "bye":
            return None
        if message == "hello":
            return [self.hello(*fields)]
        if not self.is_greeted:
            return [wire.error("nobody has said hello")]
        return ANSWERS[message](*fields)

    def hello(self, language, process, version, roots, abilities):
        if version != wire.VERSION:
            return wire.error("the probe speaks version %d" % wire.VERSION)
        self.is_greeted = True
        return wire.hello(os.getpid(), self.scope.roots(), ABILITIES)


def wait_until_gone(thread):
    """Python warns of a fork beside other threads, and it is the system that counts them."""
    until = monotonic() + QUIET
    while os.path.exists("/proc/self/task/%s" % thread) and monotonic() < until:
        sleep(GLANCE / 10)


def begin(call):
    RECORDER.begin(call)
    return [wire.begin(call)]


def end(call):
    wait_for_quiet(call)
    hits, last, failures, observations = RECORDER.end(call)
    delta = wire.delta(call, hits, last, failures, observations)
    # What the delta names was there before it was made.
    return RECORDER.news() + [delta]


def wait_for_quiet(call):
    until = monotonic() + QUIET
    while RECORDER.is_at_work_on(call) and monotonic() < until:
        sleep(GLANCE)


def covered(ids):
    RECORDER.cover(ids)
    return []


def reset():
    RECORDER.reset()
    return [wire.reset()]


def ping():
    return RECORDER.news() + [wire.pong()]


ANSWERS = {"begin": begin, "end": end, "covered": covered, "reset": reset, "ping": ping}


def connect(path):
    plain = socket(AF_UNIX, SOCK_STREAM)
    plain.settimeout(None)
    plain.connect(path)
    try:
        high = duplicate(plain.fileno())
    except (ImportError, OSError):
        return plain
    plain.close()
    return socket(AF_UNIX, SOCK_STREAM, 0, high)


def duplicate(descriptor):
    import fcntl

    return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH)


def high_pipe():
    low = os.pipe()
    try:
        return tuple(map(duplicate, low))
    finally:
        for descriptor in low:
            os.close(descriptor)


# The connection of this process.

LINK = None
TRIED = False
LOCK = RLock()


def ensure(scope):
    """Connects, once; false if the program has to go on unwatched."""
    global TRIED
    with LOCK:
        if not TRIED:
            TRIED = True
            open_link(scope)
            watch_forks(scope)
        return LINK is not None


def watch_forks(scope):
    os.register_at_fork(
        before=before_fork,
        after_in_parent=after_fork_in_parent,
        after_in_child=lambda: after_fork_in_child(scope),
    )

    if sys.version_info >= (3, 13):
        for name in ("fork", "forkpty"):
            setattr(os, name, forking(getattr(os, name)))


# While set, whoever forks starts the thread again.
IS_FORKING = False


def forking(fork):
    """Since 3.13 threads are counted after all that is registered to run after a fork."""

    @wraps(fork)
    def then_start():
        global IS_FORKING
        IS_FORKING = True
        try:
            return fork()
        finally:
            if IS_FORKING:
                IS_FORKING = False
                start_again()

    return then_start


def start_again():
    if LINK is not None:
        LINK.start()


def open_link(scope):
    global LINK
    try:
        LINK = Link(settings.socket_path(), scope)
        LINK.start()
    except Exception:
        LINK = None
        RECORDER.stop()


def forget():
    global LINK
    ended, LINK = LINK, None
    if ended is not None:
        ended.close()


def before_fork():
    try:
        if LINK is not None:
            LINK.pause()
    except Exception:
        RECORDER.stop()
    RECORDER.lock.acquire()


def after_fork_in_parent():
    RECORDER.lock.release()
    if not IS_FORKING:
        start_again()


def after_fork_in_child(scope):
    global IS_FORKING
    IS_FORKING = False
    RECORDER.lock.release()
    try:
        was_linked = LINK is not None
        forget()
        if was_linked:
            RECORDER.begin_anew()
            open_link(scope)
    except Exception:
        RECORDER.stop()
