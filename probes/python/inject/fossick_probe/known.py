"""Functions and methods that compare, parse or look up, and what to tell of a call to each.

A function is known by what it is, not by what it is called: `from json import loads as parse` is
the same function, and a method `startswith` of the user's own class is none of these.
"""

import sys
from types import BuiltinMethodType, MethodType

from fossick_probe import distance, observe, wire
from fossick_probe.calls import HEADER
from fossick_probe.recorder import CURRENT

# Functions by identity, and methods of classes by class and name.
FUNCTIONS = {}
METHODS = {}
# Containers that are no plain maps but are read by name.
READERS = {}
# Methods of this name are worth a look when code is rewritten.
NAMES = set()


def rule_for(function):
    rule = FUNCTIONS.get(id(function))
    if rule is not None:
        return rule
    kind = type(function)
    # Some are of a class below it.
    if issubclass(kind, BuiltinMethodType):
        holder = function.__self__
        owner = holder if isinstance(holder, type) else type(holder)
        return METHODS.get((owner, function.__name__))
    if kind is MethodType and isinstance(function.__self__, type):
        return METHODS.get((function.__self__, function.__name__))
    if kind is enum_kind():
        return enumerated
    return None


def enum_kind():
    enum = sys.modules.get("enum")
    return enum and enum.EnumMeta


def table(holder):
    """What something is looked up in by its key: a map, or the names of an enumeration."""
    kind = type(holder)
    if kind in distance.MAPS:
        return holder
    enum = enum_kind()
    return dict(holder.__members__) if enum and issubclass(kind, enum) else None


def tell(rule, site, function, arguments, named, result, worked):
    try:
        call = CURRENT.get()
        # In a loop, what comes after the first few is of use only until one has held.
        if site.wants_note(call) or call.hits.get(site.known) != 1.0:
            rule(call, site, function, arguments, named, result, worked)
    except Exception:
        pass


# Texts.


def argument(arguments, named, at, name):
    return arguments[at] if len(arguments) > at else named.get(name)


def parts_rule(kind, measure, held):
    """A text that is tested for beginning with, ending with, or holding a part."""

    def rule(call, site, function, arguments, named, result, worked):
        whole, part = function.__self__, arguments[0] if arguments else named.get("sep")
        options = [one for one in (part if type(part) is tuple else (part,)) if type(one) is str]
        if options:
            gaps = [measure(whole, one) for one in options]
            site.came(call, held(whole, result) if worked else False, min(gaps) or 1.0)
        for one in options:
            observe.parts(call, site.target(), kind, whole, one)

    return rule


def is_true(whole, result):
    return result is True


def is_place(whole, result):
    return result >= 0


def is_some(whole, result):
    return result > 0


def is_changed(whole, result):
    return len(result) != len(whole)


def is_cut(whole, result):
    return len(result) > 1


def is_parted(whole, result):
    return bool(result[1])


PARTS = {
    "startswith": (wire.PREFIX, distance.prefix, is_true),
    "endswith": (wire.SUFFIX, distance.suffix, is_true),
    "removeprefix": (wire.PREFIX, distance.prefix, is_changed),
    "removesuffix": (wire.SUFFIX, distance.suffix, is_changed),
    "find": (wire.CONTAINS, distance.containing, is_place),
    "rfind": (wire.CONTAINS, distance.containing, is_place),
    "index": (wire.CONTAINS, distance.containing, is_place),
    "rindex": (wire.CONTAINS, distance.containing, is_place),
    "count": (wire.CONTAINS, distance.containing, is_some),
    "split": (wire.CONTAINS, distance.containing, is_cut),
    "rsplit": (wire.CONTAINS, distance.containing, is_cut),
    "partition": (wire.CONTAINS, distance.containing, is_parted),
    "rpartition": (wire.CONTAINS, distance.containing, is_parted),
}

# What a text has to look like as a whole for such a method to say yes.
CLASSES = {
    "isdigit": "[0-9]+",
    "isnumeric": "[0-9]+",
    "isdecimal": "[0-9]+",
    "isalpha": "[A-Za-z]+",
    "isalnum": "[A-Za-z0-9]+",
    "isupper": "[^a-z]*[A-Z][^a-z]*",
    "islower": "[^A-Z]*[a-z][^A-Z]*",
    "istitle": "([A-Z][a-z]*[^A-Za-z]*)+",
    "isspace": "[ \t\n]+",
    "isidentifier": "[A-Za-z_][A-Za-z0-9_]*",
}


def class_rule(name, pattern):
    test = getattr(str, name)

    def rule(call, site, function, arguments, named, result, worked):
        text = function.__self__
        odd = sum(not test(one) for one in text[: distance.LONGEST])
        site.came(call, result is True, float(odd or 1))
        matched(call, site, text, pattern, "", 2)

    return rule


def matched(call, site, text, pattern, flags, how):
    text, pattern = observe.short(text), observe.short(pattern)
    if text is not None and pattern is not None:
        call.observe(site.target() + 1, wire.PATTERN, text, pattern, flags, how)


# Patterns.

HOW = {"match": 1, "search": 0, "fullmatch": 2, "findall": 0, "finditer": 0, "sub": 0, "split": 0}
HOW["subn"] = 0
# Where the text stands among the arguments of a method of a pattern.
TEXT_AT = {"sub": 1, "subn": 1}


def is_found(name, result):
    if name in ("sub", "finditer"):
        return True
    if name == "subn":
        return result[1] > 0
    return len(result) > 1 if name == "split" else bool(result)


def pattern_rule(name):
    at, how = TEXT_AT.get(name, 0), HOW[name]

    def rule(call, site, function, arguments, named, result, worked):
        text = argument(arguments, named, at, "string")
        tell_pattern(call, site, name, function.__self__, text, how, worked and result)

    return rule


def module_rule(name):
    at, how = TEXT_AT.get(name, 0) + 1, HOW[name]

    def rule(call, site, function, arguments, named, result, worked):
        text = argument(arguments, named, at, "string")
        pattern = argument(arguments, named, 0, "pattern")
        if type(pattern) is str and worked:
            flags = named.get("flags", arguments[at + 1] if is_flagged(name, arguments, at) else 0)
            pattern = sys.modules["re"].compile(pattern, flags)
        tell_pattern(call, site, name, pattern, text, how, worked and result)

    return rule


def is_flagged(name, arguments, at):
    return (
        name in ("match", "search", "fullmatch", "findall", "finditer") and len(arguments) > at + 1
    )


def tell_pattern(call, site, name, pattern, text, how, result):
    if type(text) is not str:
        return
    site.came(call, bool(result is not False and is_found(name, result)), 1.0)
    flags = "".join(
        letter for letter, bit in (("i", 2), ("m", 8), ("s", 16), ("x", 64)) if pattern.flags & bit
    )
    matched(call, site, text, pattern.pattern, flags, how)


def learn_re(module):
    for name in HOW:
        METHODS[module.Pattern, name] = pattern_rule(name)
        learn_function(module, name, module_rule(name))
    NAMES.update(HOW)


# Parsing.


def parse_rule(kind, form=None):
    """The form is where the format stands among the arguments, if one is given."""

    def rule(call, site, function, arguments, named, result, worked):
        text = argument(arguments, named, 0, FIRST.get(kind, "s"))
        if type(text) in (bytes, bytearray):
            text = str(text, "latin-1")
        if type(text) is not str:
            site.in_vain()
            return
        site.came(call, worked, oddity(kind, text))
        format = argument(arguments, named, form, "format") if form is not None else ""
        text, format = observe.short(text), observe.short(format)
        if text is not None and format is not None:
            call.observe(site.target() + 1, wire.PARSE, text, kind, format, worked)

    return rule


# How the first argument is named where it may be named at all.
FIRST = {"uuid": "hex", "decimal": "value", "fraction": "numerator", "address": "address"}
# What a text that parses consists of.
LETTERS = {
    "integer": "+-0123456789",
    "real": "+-.0123456789e",
    "decimal": "+-.0123456789E",
    "uuid": "-0123456789abcdefABCDEF",
    "hex": "0123456789abcdefABCDEF",
    "date": "-0123456789",
    "moment": "-:.+TZ 0123456789",
    "address": ".:0123456789abcdefABCDEF",
}


def oddity(kind, text):
    """How many characters can't be right."""
    letters = LETTERS.get(kind)
    if letters is None:
        return 1.0
    return float(sum(one not in letters for one in text[: distance.LONGEST]) or 1)


PARSERS = {
    "json": {"loads": "json"},
    "uuid": {"UUID": "uuid"},
    "decimal": {"Decimal": "decimal"},
    "fractions": {"Fraction": "fraction"},
    "base64": {
        "b64decode": "base64",
        "standard_b64decode": "base64",
        "urlsafe_b64decode": "base64url",
        "b32decode": "base32",
        "b16decode": "hex",
    },
    "binascii": {"unhexlify": "hex", "a2b_hex": "hex", "a2b_base64": "base64"},
    "ipaddress": {
        "ip_address": "address",
        "IPv4Address": "address",
        "IPv6Address": "address",
        "ip_network": "network",
        "ip_interface": "network",
    },
    "urllib.parse": {"urlparse": "url", "urlsplit": "url"},
    "ast": {"literal_eval": "literal"},
}


def learn_function(module, name, rule):
    function = getattr(module, name, None)
    if function is not None:
        FUNCTIONS[id(function)] = rule
        KEPT.append(function)
        NAMES.add(name)


# An identity means something only as long as its object is there.
KEPT = []


def learn_parsers(module):
    for name, kind in PARSERS[module.__name__].items():
        learn_function(module, name, parse_rule(kind))


def learn_datetime(module):
    distance.learn_datetime(module)
    for kind, word in (("date", "date"), ("datetime", "moment"), ("time", "time")):
        METHODS[getattr(module, kind), "fromisoformat"] = parse_rule(word)
    METHODS[module.datetime, "strptime"] = parse_rule("moment", 1)


def learn_time(module):
    learn_function(module, "strptime", parse_rule("moment", 1))


def learn_uuid(module):
    distance.learn_uuid(module)
    learn_parsers(module)


def learn_numbers(module):
    distance.learn_numbers(module)
    learn_parsers(module)


# Comparing.


def compare_rule(operator):
    def rule(call, site, function, arguments, named, result, worked):
        left, right = arguments
        if worked and type(result) is bool:
            site.came(call, result, 0.0 if result else distance.gap(operator, left, right, False))
            observe.compared(call, site.target(), operator, left, right)

    return rule


OPERATORS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def learn_operator(module):
    for name, operator in OPERATORS.items():
        learn_function(module, name, compare_rule(operator))
    learn_function(module, "contains", contains)


def contains(call, site, function, arguments, named, result, worked):
    if worked:
        holder, value = arguments
        site.came(call, result, distance.member(value, holder))
        observe.compared(call, site.target(), "in", value, holder)


def learn_hmac(module):
    learn_function(module, "compare_digest", compare_rule("=="))


def glob_rule(call, site, function, arguments, named, result, worked):
    text, pattern = argument(arguments, named, 0, "name"), argument(arguments, named, 1, "pat")
    if worked and type(text) is str:
        site.came(call, result, 1.0)
        matched(call, site, text, sys.modules["fnmatch"].translate(pattern), "", 1)


def learn_fnmatch(module):
    learn_function(module, "fnmatch", glob_rule)
    learn_function(module, "fnmatchcase", glob_rule)


def enumerated(call, site, function, arguments, named, result, worked):
    """A member of an enumeration is asked for by its value."""
    members = list(getattr(function, "__members__", {}).values())
    if len(arguments) == 1 and members and type(arguments[0]) is not function:
        values = [one._value_ for one in members]
        site.came(call, worked, distance.member(arguments[0], values))
        observe.member(call, site.target(), arguments[0], values)
    else:
        site.in_vain()


# Looking up.


def map_rule(call, site, function, arguments, named, result, worked):
    holder, key = function.__self__, arguments[0]
    is_there = worked and key in holder if function.__name__ == "get" else was_there(holder, result)
    site.came(call, bool(is_there), distance.member(key, holder))
    looked_up(call, site, holder, key, bool(is_there))


def looked_up(call, site, holder, key, is_there):
    """A key that stands in the code is a name, another one a value."""
    if type(key) is str and site.key == key:
        read(call, site.target(), holder, key, is_there)
    else:
        observe.member(call, site.target(), key, holder)


def compared(call, target, operator, left, right, hint):
    if hint and operator in ("in", "not in") and type(right) in distance.MAPS:
        read(call, target, right, left, left in right)
    else:
        observe.compared(call, target, operator, left, right, hint)


def read(call, target, holder, key, is_there):
    if "REQUEST_METHOD" in holder:
        in_environment(call, target, holder, key, is_there)
    else:
        source = next((source for one, source in call.queries if one is holder), wire.KEY)
        observe.read(call, target, source, key, is_there, observe.clean(holder))


def in_environment(call, target, holder, key, is_there):
    """In what a server says of a request, only headers were sent by somebody."""
    if key.startswith("HTTP_"):
        names = [header_name(one) for one in holder if str(one).startswith("HTTP_")]
        names = [one for one in names if one != HEADER]
        names = observe.clean(names)
        observe.read(call, target, wire.HEADER, header_name(key), is_there, names)


def was_there(holder, result):
    """After a `pop` or `setdefault` only the outcome tells."""
    return result is not None and not isinstance(result, KeyError)


def header_name(key):
    return key[5:].replace("_", "-").lower()


MOST_QUERIES = 16


def query_rule(call, site, function, arguments, named, result, worked):
    if worked and type(result) is dict:
        call.queries = (call.queries + [(result, wire.QUERY)])[-MOST_QUERIES:]


def learn_urllib(module):
    learn_parsers(module)
    learn_function(module, "parse_qs", query_rule)


def learn_builtins(module):
    for name, (kind, measure, held) in PARTS.items():
        METHODS[str, name] = parts_rule(kind, measure, held)
    for name, pattern in CLASSES.items():
        METHODS[str, name] = class_rule(name, pattern)
    for kind in distance.MAPS:
        for name in ("get", "pop", "setdefault"):
            METHODS[kind, name] = map_rule
    METHODS[bytes, "fromhex"] = parse_rule("hex")
    for name, kind in (("int", "integer"), ("float", "real"), ("complex", "complex")):
        learn_function(module, name, parse_rule(kind))
    NAMES.update(name for _, name in METHODS)
    NAMES.update(("fromisoformat", "strptime"))
    NAMES.update(name for names in PARSERS.values() for name in names)
    NAMES.update(HOW)
    NAMES.update(OPERATORS)
    NAMES.update(("compare_digest", "contains", "fnmatch", "fnmatchcase", "parse_qs"))


# What to learn of a module once it is loaded.
MODULES = {
    "builtins": learn_builtins,
    "re": learn_re,
    "json": learn_parsers,
    "uuid": learn_uuid,
    "decimal": learn_numbers,
    "fractions": learn_numbers,
    "base64": learn_parsers,
    "binascii": learn_parsers,
    "ipaddress": learn_parsers,
    "ast": learn_parsers,
    "urllib.parse": learn_urllib,
    "datetime": learn_datetime,
    "time": learn_time,
    "operator": learn_operator,
    "hmac": learn_hmac,
    "fnmatch": learn_fnmatch,
}
