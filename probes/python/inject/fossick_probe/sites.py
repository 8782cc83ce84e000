"""Places in the user's code where something is measured.

The rewriter puts a site into the constants of the code, so that nothing has a name the user's code
could see. What a site's methods do besides measuring is what the code did before: they evaluate
nothing twice, and what they raise carries no frame of theirs.
"""

import operator as operators
import sys
from functools import partial

from fossick_probe import distance, observe, wire
from fossick_probe.recorder import CURRENT, HARDLY, NEARLY, RECORDER, nearness
from fossick_probe.tracebacks import trim

# A call or a subscript that never turned out to be a known one is left alone after so many tries.
PATIENCE = 4
# What a place in a loop compares is told so many times in a call, and how far it was from
# deciding otherwise is measured so many times, and from then on now and then.
MOST_NOTES = 24
MOST_GAPS = 64
NOW_AND_THEN = 15

current = CURRENT.get


class Exit:
    """The context variable as the code sees it: the call that its thread or task works on."""

    get = staticmethod(CURRENT.get)


def contains(left, right):
    return left in right


def lacks(left, right):
    return left not in right


RAW = {
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
    "is": operators.is_,
    "is not": operators.is_not,
    "in": contains,
    "not in": lacks,
}


class Line:
    """A statement, and the call in it if there is one."""

    __slots__ = ("on", "id", "call_id", "file", "line")

    def __init__(self, file, line, label, call_ordinal):
        self.file, self.line = file, line
        self.id = RECORDER.target((file, line, wire.LINE, 0), label, self)
        self.call_id = None
        if call_ordinal is not None:
            key = file, line, wire.CALL, call_ordinal
            self.call_id = RECORDER.target(key, label, self)
        self.update()

    def update(self):
        ids = (self.id,) if self.call_id is None else (self.id, self.call_id)
        self.on = RECORDER.needs(*ids)

    def hit(self):
        call = current()
        call.last = self
        call.hits[self.id] = 1.0
        if self.call_id is not None:
            call.near(self.call_id, 0.5)

    def whole(self):
        current().hits[self.call_id] = 1.0


class Branch:
    """A condition with two sides, or a part of one."""

    __slots__ = ("on", "yes", "no", "inverted", "raw", "operator", "hint", "inner", "members", "near", "was", "noted_in", "notes")  # fmt: skip

    def __init__(self, file, line, ordinal, label, inverted, operator, hint, inner):
        """Inverted if the code negates what this measures before it decides.

        The hint says of texts that their case was taken away, of a look-up that its key stands in
        the code.
        """
        self.near = self.was = self.noted_in = None
        self.inverted, self.operator, self.hint = inverted, operator, hint
        self.raw, self.inner = RAW.get(operator), inner
        self.members = [self]
        self.yes = RECORDER.target((file, line, wire.TRUE, ordinal), label, self)
        self.no = RECORDER.target((file, line, wire.FALSE, ordinal), label, self)
        self.update()

    def update(self):
        on = any(RECORDER.needs(one.yes, one.no) for one in self.members)
        for one in self.members:
            one.on = on

    def join(self, members):
        """Parts of one condition are measured together."""
        members.append(self)
        for one in members:
            one.members = members
        self.update()

    # What stands in the code.

    def truth(self, value):
        try:
            holds = True if value else False
        except BaseException as error:
            trim(error)
            raise
        if self.on and (self.was is not holds or self.is_news()):
            self.saw(value, holds)
        return holds

    def peek(self, value):
        """A value whose truth decides and which is passed on."""
        if self.on and (type(value) in distance.SIMPLE or value is None):
            self.saw(value, bool(value))
        return value

    def compare(self, left, right):
        try:
            result = self.raw(left, right)
            holds = True if result else False
        except BaseException as error:
            trim(error)
            raise
        if self.on and (self.was is not holds or self.is_news()):
            self.compared(left, right, holds)
        return holds

    def weigh(self, left, right):
        """A comparison that decides and whose result is passed on."""
        try:
            result = self.raw(left, right)
        except BaseException as error:
            trim(error)
            raise
        if self.on and type(result) is bool:
            self.compared(left, right, result)
        return result

    def first(self, value):
        return Link(self, value, [], False)

    def middle(self, value):
        return Link(self, value, None, False)

    def final(self, value):
        return Link(self, value, None, True)

    # Measuring.

    def saw(self, value, holds):
        try:
            call = current()
            if self.wants_gap(call, holds):
                inner = self.inner and self.inner.near
                is_told = inner and inner[0] == call.serial and not holds
                gap = inner[1] if is_told else distance.size(value) if holds else 1.0
                self.came_near(call, holds, gap)
        except Exception:
            pass

    def compared(self, left, right, holds):
        try:
            call = current()
            if self.wants_gap(call, holds):
                gap = distance.gap(self.operator, left, right, holds)
                self.came_near(call, holds, gap)
                if self.notes <= MOST_NOTES:
                    known.compared(call, self.yes, self.operator, left, right, self.hint)
        except Exception:
            pass

    def linked(self, holds, seen, is_last):
        """A chain of comparisons was decided."""
        try:
            call = current()
            if self.wants_gap(call, holds):
                self.came_near(call, holds, gap_of_chain(holds, seen, is_last))
                if self.notes <= MOST_NOTES:
                    observe_chain(call, self.yes, seen)
        except Exception:
            pass

    def is_news(self):
        """Whether deciding as the last time, long in a loop, still tells anything."""
        if self.noted_in != current().serial or self.notes <= MOST_GAPS:
            return True
        self.notes += 1
        self.near = None
        return not self.notes & NOW_AND_THEN

    def wants_gap(self, call, holds):
        """Notes the side that was taken. The code may still negate what was measured."""
        self.was = holds
        call.hits[self.no if holds is self.inverted else self.yes] = 1.0
        return is_fresh(self, call)

    def came_near(self, call, holds, gap):
        """The gap is to the other side."""
        self.near = call.serial, holds, gap
        call.near(self.yes if holds is self.inverted else self.no, nearness(gap))


def is_fresh(site, call):
    """Whether there is still something to learn from measuring here in this call."""
    if site.noted_in != call.serial:
        site.noted_in, site.notes = call.serial, 0
    site.notes += 1
    if site.notes > MOST_GAPS and site.notes & NOW_AND_THEN:
        site.near = None
        return False
    return True


def gap_of_chain(holds, seen, is_last):
    """Any link would do to break it; to hold, the others would have to hold too."""
    gaps = [distance.gap(*link) for link in seen]
    return min(gaps) if holds else gaps[-1] + (0.0 if is_last else 1.0)


def observe_chain(call, target, seen):
    for operator, left, right, _ in seen:
        observe.compared(call, target, operator, left, right)


class Whole(Branch):
    """A condition made of parts with `and`, `or` and `not`."""

    __slots__ = ("tree",)

    def __init__(self, file, line, ordinal, label, tree):
        """The tree is of tuples, ("and", parts...), ("or", parts...), ("not", part), and sites."""
        self.tree = tree
        Branch.__init__(self, file, line, ordinal, label, False, None, False, None)
        self.join(list(leaves(tree)))

    def judge(self, holds):
        if self.on and type(holds) is bool and (self.was is not holds or self.is_news()):
            try:
                call = current()
                if self.wants_gap(call, holds):
                    self.came_near(call, holds, gap_of(self.tree, call, not holds))
            except Exception:
                pass
        return holds


def leaves(tree):
    if type(tree) is not tuple:
        yield tree
        return
    for part in tree[1:]:
        yield from leaves(part)


def gap_of(tree, call, wanted):
    """How far a condition is from being true, or false if that is wanted."""
    if type(tree) is not tuple:
        return gap_of_part(tree, call, wanted)
    word, *parts = tree
    if word == "not":
        return gap_of(parts[0], call, not wanted)
    if (word == "and") is wanted:
        return sum_of(parts, call, wanted)
    return min(gap_of(part, call, wanted) for part in parts)


def sum_of(parts, call, wanted):
    """All parts would have to be as wanted; those behind the first that is not did not run."""
    total = 0.0
    for at, part in enumerate(parts):
        gap = gap_of(part, call, wanted)
        total += gap
        if gap:
            return total + len(parts) - at - 1
    return total


def gap_of_part(site, call, wanted):
    if site.near is None or site.near[0] != call.serial:
        return 1.0
    _, holds, gap = site.near
    return 0.0 if holds is wanted else gap or NEARLY


def step(operator):
    """A comparison with the next operand of a chain."""
    raw = RAW[operator]

    def compare(self, other):
        try:
            result = raw(self.value, other.value)
        except BaseException as error:
            trim(error)
            raise
        if self.site.on and type(result) is bool:
            self.seen.append((operator, self.value, other.value, result))
            other.seen = self.seen
            if other.is_last or not result:
                self.site.linked(result, self.seen, other.is_last)
        return result

    return compare


class Link:
    """An operand of a chained comparison, which compares as the operand itself would."""

    __slots__ = ("site", "value", "seen", "is_last")
    __hash__ = None

    def __init__(self, site, value, seen, is_last):
        self.site, self.value, self.seen, self.is_last = site, value, seen, is_last

    __lt__, __le__, __gt__ = step("<"), step("<="), step(">")
    __ge__, __eq__, __ne__ = step(">="), step("=="), step("!=")


class Method:
    """A comparison, a call or a look-up that decides nothing by itself."""

    __slots__ = ("on", "file", "line", "ordinal", "label", "raw", "operator", "hint", "key", "known", "tries", "near", "noted_in", "notes")  # fmt: skip

    def __init__(self, file, line, ordinal, label, operator, hint, key):
        self.file, self.line, self.ordinal, self.label = file, line, ordinal, label
        self.operator, self.hint, self.key = operator, hint, key
        self.raw = RAW.get(operator)
        self.known = self.near = self.noted_in = None
        self.tries = 0
        self.on = RECORDER.recording
        # Known from another time that the same code was loaded.
        key = file, line, wire.METHOD, ordinal
        if key in RECORDER.ids:
            self.target()

    def target(self):
        """Its number; only what turns out to be worth measuring has one."""
        if self.known is None:
            key = self.file, self.line, wire.METHOD, self.ordinal
            self.known = RECORDER.target(key, self.label, self)
        return self.known

    def update(self):
        self.on = RECORDER.recording if self.known is None else RECORDER.needs(self.known)

    def in_vain(self):
        """This was nothing that is known."""
        self.tries += 1
        if self.tries >= PATIENCE and self.known is None:
            self.on = False

    def compare(self, left, right):
        try:
            result = self.raw(left, right)
        except BaseException as error:
            trim(error)
            raise
        if self.on and type(result) is bool:
            self.compared(left, right, result)
        return result

    def compared(self, left, right, holds):
        try:
            call = current()
            if not holds and not is_fresh(self, call):
                return
            self.came(
                call, holds, 0.0 if holds else distance.gap(self.operator, left, right, False)
            )
            if self.wants_note(call):
                known.compared(call, self.target(), self.operator, left, right, self.hint)
        except Exception:
            pass

    def wants_note(self, call):
        """Whether what is compared is still worth telling."""
        if self.noted_in != call.serial:
            self.noted_in, self.notes = call.serial, 0
        self.notes += 1
        return self.notes <= MOST_NOTES

    def came(self, call, holds, gap):
        """It held, or was so far from that."""
        self.near = None if holds else (call.serial, gap)
        if holds:
            call.hits[self.target()] = 1.0
        else:
            call.near(self.target(), nearness(gap))

    first, middle, final = Branch.first, Branch.middle, Branch.final

    def linked(self, holds, seen, is_last):
        try:
            call = current()
            self.came(call, holds, 0.0 if holds else gap_of_chain(holds, seen, is_last))
            if self.wants_note(call):
                observe_chain(call, self.target(), seen)
        except Exception:
            pass

    def pick(self, function):
        """What is to be called: the function itself, or one that calls it and tells."""
        try:
            rule = known.rule_for(function)
        except Exception:
            return function
        if rule is None:
            self.in_vain()
            return function
        return partial(watched, self, rule, function)

    def look(self, holder):
        """A map in which a constant key is looked up next."""
        if self.on:
            if type(holder) in distance.MAPS:
                self.read(holder, self.key)
            elif type(holder) in known.READERS:
                self.read_by_name(holder)
            else:
                self.in_vain()
        return holder

    def item(self, holder, key):
        try:
            found = holder[key]
        except BaseException as error:
            table = known.table(holder) if self.on else None
            if table is not None and type(error) is KeyError:
                self.missed(table, key)
            trim(error)
            raise
        if self.on:
            table = known.table(holder)
            if table is None:
                self.in_vain()
            else:
                self.found(table, key)
        return found

    def read(self, holder, key):
        try:
            self.looked_up(holder, key, key in holder)
        except Exception:
            pass

    def read_by_name(self, holder):
        try:
            known.READERS[type(holder)](current(), holder, self.key)
        except Exception:
            pass

    def missed(self, holder, key):
        try:
            self.looked_up(holder, key, False)
        except Exception:
            pass

    def found(self, holder, key):
        try:
            self.looked_up(holder, key, True)
        except Exception:
            pass

    def looked_up(self, holder, key, is_there):
        call = current()
        self.came(call, is_there, 0.0 if is_there else distance.member(key, holder))
        if self.wants_note(call):
            known.looked_up(call, self, holder, key, is_there)


def watched(site, rule, function, /, *arguments, **named):
    """Calls a known function as the code would, and tells what came of it."""
    try:
        result = function(*arguments, **named)
    except BaseException as error:
        known.tell(rule, site, function, arguments, named, error, False)
        trim(error)
        raise
    known.tell(rule, site, function, arguments, named, result, True)
    return result


class Function:
    """A function of the user's own."""

    __slots__ = ("file", "line")
    any = BaseException

    def __init__(self, file, line):
        self.file, self.line = file, line

    def left(self):
        """An exception is about to leave the function."""
        try:
            failures.left(sys.exc_info()[1])
        except Exception:
            pass


class Match:
    """The cases of a match statement."""

    __slots__ = ("on", "cases", "literals")

    def __init__(self, file, cases):
        """A case has a line, an ordinal, a label, and its literals if it consists of such."""
        self.cases, self.literals = [], []
        for line, ordinal, label, literals in cases:
            yes = RECORDER.target((file, line, wire.TRUE, ordinal), label, self)
            no = RECORDER.target((file, line, wire.FALSE, ordinal), label, self)
            self.cases.append((yes, no))
            self.literals.append(literals)
        self.update()

    def update(self):
        self.on = any(RECORDER.needs(*pair) for pair in self.cases)

    def subject(self, value):
        """Compares with what stands in the cases; which one is taken shows later."""
        if self.on:
            try:
                call = current()
                for (yes, _), literals in zip(self.cases, self.literals):
                    for literal in literals or ():
                        call.near(yes, nearness(distance.equal(value, literal)))
                        observe.pair(call, yes, wire.EQUAL, value, literal)
            except Exception:
                pass
        return value

    def took(self, taken):
        """The cases before the one that was taken did not fit."""
        if not self.on:
            return
        call = current()
        for yes, no in self.cases[:taken]:
            call.hits[no] = 1.0
            call.near(yes, HARDLY)
        if taken < len(self.cases):
            yes, no = self.cases[taken]
            call.hits[yes] = 1.0
            call.near(no, HALF)


HALF = 0.5

# These use what is above.
from fossick_probe import failures, known  # noqa: E402
