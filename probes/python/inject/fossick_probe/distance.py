"""How far two values are from comparing otherwise.

Values of other classes than these are never touched: measuring runs no code of the user's.
"""

import sys
from collections import OrderedDict, defaultdict
from operator import sub

# Characters of a text that are looked at, and members of a collection.
LONGEST = 4096
MOST_MEMBERS = 256
WINDOWS = 256

NUMBERS = {int, float, bool}
# Classes that are known once their module is loaded, each with its value as a plain one.
PLAIN = {
    bytes: lambda value: str(value, "latin-1"),
    bytearray: lambda value: str(value, "latin-1"),
}
SCALARS = {}
NOTHING = object()


class Moment:
    """A point on a line of seconds or days."""

    __slots__ = ("at",)

    def __init__(self, at):
        self.at = at


def plain(value):
    """A number, a text, a moment, None, or a tuple of such; else NOTHING."""
    kind = type(value)
    if kind in NUMBERS or kind is str or value is None:
        return value
    if kind is tuple or kind is list:
        return tuple(value)
    convert = PLAIN.get(kind)
    if convert is not None:
        return convert(value)
    if is_enumerated(value):
        return plain(value._value_)
    return str.__str__(value) if issubclass(kind, str) else NOTHING


def is_enumerated(value):
    # Not by isinstance: that asks the value, and it may be a proxy that does things.
    enum = sys.modules.get("enum")
    return enum is not None and issubclass(type(value), enum.Enum)


def of_text(left, right):
    longer = abs(len(left) - len(right))
    if len(left) > LONGEST:
        left = left[:LONGEST]
    # All in C: this is where most of the measuring is.
    different = sum(map(abs, map(sub, map(ord, left), map(ord, right))))
    return (65536.0 * longer + different) / 65536.0


def is_number(value):
    return type(value) in NUMBERS


def minus(left, right):
    try:
        return float(left - right)
    except OverflowError:
        return 1e308 if left > right else -1e308
    except TypeError:
        return float(left) - float(right)


def equal(left, right):
    """How far from being equal; nothing is as far as 1 if that can't be told."""
    if type(left) is str and type(right) is str:
        return of_text(left, right)
    left, right = plain(left), plain(right)
    if type(left) is str and type(right) is str:
        return of_text(left, right)
    if is_number(left) and is_number(right):
        return abs(minus(left, right))
    if type(left) is Moment and type(right) is Moment:
        return abs(minus(left.at, right.at))
    if type(left) is tuple and type(right) is tuple:
        return of_tuples(left, right)
    return 1.0


def of_tuples(left, right):
    longer = abs(len(left) - len(right))
    pairs = list(zip(left, right))[:MOST_MEMBERS]
    return longer + sum(element(a, b) for a, b in pairs)


def element(left, right):
    """Elements that hold others are not looked into."""
    deep = type(left) in (tuple, list) or type(right) in (tuple, list)
    return float(left is not right) if deep else equal(left, right) if left is not right else 0.0


def difference(left, right):
    """Left minus right, where there is a slope."""
    left, right = plain(left), plain(right)
    if is_number(left) and is_number(right):
        return minus(left, right)
    if type(left) is Moment and type(right) is Moment:
        return minus(left.at, right.at)
    return None


def less(left, right):
    gap = difference(left, right)
    return 1.0 if gap is None else gap + 1.0


def at_most(left, right):
    gap = difference(left, right)
    return 1.0 if gap is None else gap


def member(value, among):
    """How far from being in a collection."""
    if type(among) is range:
        return of_range(value, among)
    if type(among) in (str, bytes, bytearray):
        return containing(plain(among), plain(value))
    return min((equal(value, one) for one in some(among)), default=1.0)


def of_range(value, among):
    if not is_number(value) or not among:
        return 1.0
    return min(abs(minus(value, among[0])), abs(minus(value, among[-1]))) or 1.0


def some(among):
    """Members, a bounded number of them, where looking at them changes nothing."""
    if type(among) not in COLLECTIONS:
        return []
    if type(among) in (list, tuple):
        return among[:MOST_MEMBERS]
    return list(among)[:MOST_MEMBERS]


# Classes whose length and members can be asked for without running anybody's code.
MAPS = {dict, OrderedDict, defaultdict}
COLLECTIONS = MAPS | {list, tuple, set, frozenset, type({}.keys()), type({}.values())}
# Classes whose truth can be asked for twice.
SIMPLE = COLLECTIONS | {int, float, bool, str, bytes, bytearray}


def prefix(whole, part):
    return of_text(whole[: len(part)], part)


def suffix(whole, part):
    return of_text(whole[-len(part) :] if part else "", part)


def containing(whole, part):
    if type(whole) is not str or type(part) is not str:
        return 1.0
    last = min(max(len(whole) - len(part), 0), WINDOWS)
    return min(of_text(whole[at : at + len(part)], part) for at in range(last + 1))


def size(value):
    """How far a value that counts as true is from counting as false."""
    value = plain(value) if type(value) not in COLLECTIONS else value
    if is_number(value):
        return abs(minus(value, 0))
    return float(len(value)) if hasattr(value, "__len__") else 1.0


def gap(operator, left, right, holds):
    """The distance to the side that was not taken."""
    forward, back = OPERATORS[operator]
    return back(left, right) if holds else forward(left, right)


def one(left, right):
    return 1.0


def swapped(measure):
    return lambda left, right: measure(right, left)


# The distance to holding, and to not holding.
OPERATORS = {
    "==": (equal, one),
    "!=": (one, equal),
    "<": (less, swapped(at_most)),
    "<=": (at_most, swapped(less)),
    ">": (swapped(less), at_most),
    ">=": (swapped(at_most), less),
    "is": (equal, one),
    "is not": (one, equal),
    "in": (member, one),
    "not in": (one, member),
}


# What other modules bring, once they are loaded.


def learn_datetime(module):
    epoch = module.datetime(1970, 1, 1)

    def of_moment(value):
        zone = value.utcoffset()
        bare = value.replace(tzinfo=None)
        return Moment((bare - epoch - (zone or module.timedelta())).total_seconds())

    def of_time(value):
        return Moment(
            value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
        )

    PLAIN[module.datetime] = of_moment
    PLAIN[module.date] = lambda value: Moment(value.toordinal())
    PLAIN[module.time] = of_time
    PLAIN[module.timedelta] = lambda value: value.total_seconds()
    for kind in (module.datetime, module.date, module.time):
        SCALARS[kind] = kind.isoformat


def learn_uuid(module):
    PLAIN[module.UUID] = str


def learn_numbers(module):
    for name in ("Decimal", "Fraction"):
        kind = getattr(module, name, None)
        if kind is not None:
            NUMBERS.add(kind)
