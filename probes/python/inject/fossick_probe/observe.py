"""What was compared, put so that it can be sent."""

from fossick_probe import distance, wire

LONGEST = 1024
MOST_CANDIDATES = 64
MOST_PAIRS = 16
MOST_BESIDE = 32


def short(value):
    """A text that may be sent, else nothing."""
    value = distance.plain(value) if type(value) is not str else value
    if type(value) is not str or len(value) > LONGEST:
        return None
    if value.isascii():
        return value
    try:
        return value if len(value.encode()) <= LONGEST else None
    except UnicodeEncodeError:
        return None


def scalar(value):
    """Tag and content of a value, or nothing if it is none that can be sent."""
    kind = type(value)
    if kind is str:
        return None if short(value) is None else (wire.TEXT, value)
    if kind is bool:
        return wire.FLAG, value
    if kind is int:
        return (wire.WHOLE, value) if -(1 << 63) <= value < 1 << 63 else None
    if kind is float:
        return wire.FLOAT, value
    if value is None:
        return wire.NOTHING, None
    if kind in distance.SCALARS:
        return wire.MOMENT, distance.SCALARS[kind](value)
    return other_scalar(kind, value)


def other_scalar(kind, value):
    if kind is bytes or kind is bytearray:
        try:
            return scalar(value.decode())
        except UnicodeDecodeError:
            return None
    bare = distance.plain(value)
    if bare is value and distance.is_number(value):
        return wire.FLOAT, float(value)
    if bare is distance.NOTHING or type(bare) in (tuple, distance.Moment) or bare is value:
        return None
    return scalar(bare)


def pair(call, target, kind, left, right):
    """Two values that were compared, or their elements."""
    if type(left) in (tuple, list) and type(right) in (tuple, list):
        for a, b in list(zip(left, right))[:MOST_PAIRS]:
            if type(a) not in (tuple, list):
                pair(call, target, kind, a, b)
        return
    left, right = scalar(left), scalar(right)
    if left is not None and right is not None:
        call.observe(target + 1, kind, left, right)


def parts(call, target, kind, whole, part):
    whole, part = short(whole), short(part)
    if whole is not None and part is not None:
        call.observe(target + 1, kind, whole, part)


def member(call, target, value, among):
    """A value that was looked up among others."""
    value = scalar(value)
    if value is None:
        return
    if type(among) is range:
        among = (among[0], among[-1]) if among else ()
    found = [scalar(one) for one in candidates(among)]
    told = tuple(one for one in found if one is not None)
    if told:
        call.observe(target + 1, wire.MEMBER, value, told)


def candidates(among):
    """The first of them; of a set in an order that does not change from run to run."""
    some = among if type(among) in (list, tuple) else distance.some(among)
    if type(among) in (set, frozenset):
        some = sorted((one for one in some if type(one) in distance.NUMBERS | {str}), key=repr)
    return some[:MOST_CANDIDATES]


def read(call, target, source, name, found, names):
    """Something was looked for by name among clean ones; a target of -1 is none."""
    name = short(name)
    if name is not None:
        # There is one more than may be told, since the name itself may be among them.
        beside = tuple([other for other in names if other != name][:MOST_BESIDE])
        call.observe(target + 1, wire.READ, source, name, found, beside)


def clean(names):
    """Names that may be sent, not too many."""
    found = []
    for name in names:
        if type(name) is str and short(name) is not None:
            found.append(name)
            if len(found) > MOST_BESIDE:
                break
    return found


def compared(call, target, operator, left, right, is_caseless=False):
    if operator in ("in", "not in"):
        looked_up(call, target, left, right)
    elif operator in ("<", "<=", ">", ">="):
        pair(call, target, wire.ORDER, left, right)
    elif is_caseless and type(left) is str and type(right) is str:
        parts(call, target, wire.SAME, left, right)
    else:
        pair(call, target, wire.EQUAL, left, right)


def looked_up(call, target, value, among):
    if type(among) in (str, bytes):
        parts(call, target, wire.CONTAINS, among, value)
    else:
        member(call, target, value, among)
