"""What is recorded: targets with their numbers, calls in progress, and what each has hit.

Plain dicts and lists, written by many threads and read by the one that answers the tool: single
operations on them are atomic, and a lock guards what takes several.
"""

from _thread import RLock
from contextvars import ContextVar
from itertools import count

from fossick_probe import wire

MOST_CALLS = 4096
MOST_OBSERVATIONS = 512
MOST_FAILURES = 8
MOST_STATEMENTS = 10_000

# The largest value that is not yet covered, and the least that is above nothing.
NEARLY = 1.0 - 2.0**-53
HARDLY = 1e-300


SERIALS = count(1)


class Call:
    """What one call has reached so far."""

    __slots__ = (
        "number", "serial", "hits", "observations", "failures", "last", "active", "queries", "names"
    )  # fmt: skip

    def __init__(self, number):
        self.number = number
        # Tells it apart from any other, also from itself after it began anew.
        self.serial = next(SERIALS)
        self.hits = {}
        self.observations = {}
        self.failures = []
        # The site of the line that ran last.
        self.last = None
        # How many threads and tasks work on it.
        self.active = 0
        # Maps that came out of a query or a form, with what they came from.
        self.queries = []
        # The names that are in containers it has read from.
        self.names = []

    def near(self, target, value):
        """Keeps the best value of a target."""
        if self.hits.get(target, 0.0) < value:
            self.hits[target] = value

    def observe(self, *seen):
        if len(self.observations) < MOST_OBSERVATIONS:
            self.observations[seen] = None

    def detach(self):
        """What comes now comes too late, and counts as belonging to no call."""
        self.names = []
        self.hits = STRAY.hits
        self.observations = STRAY.observations
        self.failures = STRAY.failures

    def clear(self):
        self.serial = next(SERIALS)
        self.hits.clear()
        self.observations.clear()
        self.failures.clear()
        self.queries, self.names = [], []
        self.last = None


STRAY = Call(0)
CURRENT = ContextVar("fossick_call", default=STRAY)


def nearness(distance):
    """How near a side is that was not taken."""
    value = 1.0 / (1.0 + distance)
    if value >= 1.0:
        return NEARLY
    # Also for what is no number.
    return value if value > HARDLY else HARDLY


class Recorder:
    """All targets and calls of this process."""

    def __init__(self):
        # The same thread may come again, in a handler of a signal or when an object dies.
        self.lock = RLock()
        self.descriptors = []
        self.ids = {}
        # The sites that measure a target.
        self.owners = []
        self.covered = bytearray()
        self.calls = {}
        self.statements = []
        # How often a name was found in a request.
        self.found = {}
        # How many targets the tool has been told of.
        self.told = 0
        self.recording = True

    def begin_anew(self):
        """In a forked process: nothing is covered, and nobody has been told of anything."""
        self.reset()
        self.told = 0

    def target(self, key, label, owner):
        """The number of a target. The same code loaded twice has the same targets."""
        with self.lock:
            found = self.ids.get(key)
            if found is None:
                found = self.ids[key] = len(self.descriptors)
                self.owners.append([])
                self.covered.append(0)
                self.descriptors.append(key + (label,))
            if owner is not None:
                self.owners[found].append(owner)
            return found

    # Calls.

    def begin(self, number):
        call = Call(number)
        with self.lock:
            self.drop(number)
            if len(self.calls) >= MOST_CALLS:
                self.drop(next(iter(self.calls)))
            self.calls[number] = call
        return call

    def drop(self, number):
        dropped = self.calls.pop(number, None)
        if dropped is not None:
            dropped.detach()

    def is_at_work_on(self, number):
        call = STRAY if number == 0 else self.calls.get(number)
        return call is not None and number != 0 and call.active > 0

    def end(self, number):
        """What the call reached, as the fields of a DELTA."""
        with self.lock:
            call = STRAY if number == 0 else self.calls.pop(number, None)
            if call is None:
                return (), None, (), ()
            told = self.delta(call)
            if call is STRAY:
                call.clear()
            else:
                call.detach()
            return told

    def delta(self, call):
        covered = self.covered
        hits = [pair for pair in sorted(call.hits.copy().items()) if not covered[pair[0]]]
        last = call.last
        where = None if last is None else (last.file, last.line)
        return hits, where, tuple(call.failures[-MOST_FAILURES:]), tuple(call.observations.copy())

    # What need not be measured.

    def cover(self, ids):
        concerned = {}
        for target in ids:
            if target < len(self.covered):
                self.covered[target] = 1
                concerned.update((id(owner), owner) for owner in self.owners[target])
        for owner in concerned.values():
            owner.update()

    def reset(self):
        with self.lock:
            self.covered[:] = bytes(len(self.covered))
            for number in list(self.calls):
                self.drop(number)
            STRAY.clear()
            self.statements.clear()
            self.found.clear()
        self.update_all()

    def stop(self):
        """Nobody listens any more."""
        self.recording = False
        self.update_all()

    def update_all(self):
        for owners in list(self.owners):
            for owner in owners:
                owner.update()

    def needs(self, *ids):
        """Whether any of the targets is worth measuring."""
        return self.recording and not all(self.covered[target] for target in ids)

    # What the tool has not been told.

    def news(self):
        frames = self.registers()
        with self.lock:
            statements, self.statements = self.statements, []
        return frames + [wire.sql(*statement) for statement in statements]

    def registers(self):
        frames = []
        while self.told < len(self.descriptors):
            some = self.descriptors[self.told : self.told + 2000]
            frames.append(wire.register(self.told, some))
            self.told += len(some)
        return frames

    def statement(self, *fields):
        if self.recording and len(self.statements) < MOST_STATEMENTS:
            self.statements.append((CURRENT.get().number,) + fields)


RECORDER = Recorder()
