"""Eleven functions of texts with branches that only few inputs reach.

Each keeps the decisions that it is known for: where tests follow one another and the last that
holds decides, all of them are made. Texts are compared as Python does, by their characters.
"""

import math
import re


def calc(op: str, arg1: float, arg2: float) -> float:
    """What has no value, as the root of a negative number or a division by zero, is NaN."""
    try:
        return calculated(op.lower(), arg1, arg2)
    except (ArithmeticError, ValueError):
        return math.nan


def calculated(op: str, arg1: float, arg2: float) -> float:
    if op == "pi":
        return math.pi
    if op == "e":
        return math.e
    if op == "sqrt":
        return math.sqrt(arg1)
    if op == "log":
        return math.log(arg1)
    if op == "sine":
        return math.sin(arg1)
    if op == "cosine":
        return math.cos(arg1)
    if op == "tangent":
        return math.tan(arg1)
    if op == "plus":
        return arg1 + arg2
    if op == "subtract":
        return arg1 - arg2
    if op == "multiply":
        return arg1 * arg2
    if op == "divide":
        return arg1 / arg2
    return 0.0


def cookie(name: str, val: str, site: str) -> str:
    name, val, site = name.lower(), val.lower(), site.lower()
    if name == "userid":
        if len(val) > 6:
            if val[:4] == "user":
                return "1"
    elif name == "session":
        if val == "am" and site == "abc.com":
            return "1"
        return "2"
    return "0"


def costfuns(i: int, s: str) -> str:
    result = 0
    if i == 5:
        result = 1
    if i < -444:
        result = 2
    if i <= -333:
        result = 3
    if i > 666:
        result = 4
    if i >= 555:
        result = 5
    if i != -4:
        result = 6
    if s == "baab":
        result = 7
    if s > "ababba":
        result = 8
    if s >= "ababba":
        result = 9
    if s != "abab":
        result = 10
    return str(result)


def date_parse(dayname: str, monthname: str) -> str:
    """1 for the name of a day and the number of a month, added up."""
    result = 0
    day, month = dayname.lower(), monthname.lower()
    if (
        day == "mon"
        or day == "tue"
        or day == "wed"
        or day == "thur"
        or day == "fri"
        or day == "sat"
        or day == "sun"
    ):
        result = 1
    if month == "jan":
        result += 1
    if month == "feb":
        result += 2
    if month == "mar":
        result += 3
    if month == "apr":
        result += 4
    if month == "may":
        result += 5
    if month == "jun":
        result += 6
    if month == "jul":
        result += 7
    if month == "aug":
        result += 8
    if month == "sep":
        result += 9
    if month == "oct":
        result += 10
    if month == "nov":
        result += 11
    if month == "dec":
        result += 12
    return str(result)


def file_suffix(directory: str, file: str) -> str:
    """A number where the name of a file ends as those in its directory do."""
    result = 0
    parts = file.split(".")
    if len(parts) > 1:
        suffix = parts[-1]
        if directory == "text":
            if suffix == "txt":
                result = 1
        if directory == "acrobat":
            if suffix == "pdf":
                result = 2
        if directory == "word":
            if suffix == "doc":
                result = 3
        if directory == "bin":
            if suffix == "exe":
                result = 4
        if directory == "lib":
            if suffix == "dll":
                result = 5
    return str(result)


def not_y_pevar(i: int, s: str) -> str:
    result = 0
    if i + i == 56:
        result = i
    if f"hello{i}" == "hello7":
        result = 1
    if s > "hello":
        result = 2
    if i > 5:
        result = 3
    return str(result)


def ordered4(w: str, x: str, z: str, y: str) -> str:
    """Note the order in which they are told: the last two change places."""
    if (
        len(w) >= 5
        and len(w) <= 6
        and len(x) >= 5
        and len(x) <= 6
        and len(y) >= 5
        and len(y) <= 6
        and len(z) >= 5
        and len(z) <= 6
    ):
        if z > y and y > x and x > w:
            return "increasing"
        if w > x and x > y and y > z:
            return "decreasing"
    return "unordered"


def pat(txt: str, pat: str) -> str:
    """Where a text and its reverse both stand in another, and which of them if only one does."""
    if len(pat) <= 2:
        return "0"
    result = 0
    rev = reverse(pat)
    for start in range(len(txt) - len(pat) + 1):
        if txt[start] == pat[0]:
            if txt[start : start + len(pat)] == pat:
                result = 1
                after = start + len(pat)
                found = find(txt, rev, after)
                if found == after:
                    return str(start)  # a palindrome
                if found > after:
                    return str(start)
                continue
        # What both begin with cannot tell them apart: only the forward one is looked for.
        if txt[start] == rev[0] and rev[0] != pat[0]:
            if txt[start : start + len(rev)] == rev:
                result = 2
                after = start + len(rev)
                found = find(txt, pat, after)
                if found == after:
                    return str(start)  # a palindrome
                if found > after:
                    return str(start)
    return str(result)


def find(txt: str, part: str, start: int) -> int:
    """The first place of a part from a start on, or -1."""
    for place in range(start, len(txt) - len(part) + 1):
        if txt[place] == part[0]:
            if txt[place : place + len(part)] == part:
                return place
    return -1


def reverse(text: str) -> str:
    result = ""
    for character in text:
        result = character + result
    return result


NAME = "[a-z_-][a-z0-9_-]*"
URL = re.compile(f"(http|ftp|afs|gopher)//:{NAME}/{NAME}")
DATE = re.compile(
    "(mon|tue|wed|thur|fri|sat|sun)[0-9]{2}(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
FLOAT = re.compile(r"[0-9]+\.[0-9]+e[+-][0-9]{2}")


def regex(txt: str) -> str:
    if URL.fullmatch(txt):
        return "url"
    if DATE.fullmatch(txt):
        return "date"
    if FLOAT.fullmatch(txt):
        return "fpe"
    return "none"


def text2txt(word1: str, word2: str, word3: str) -> str:
    """Words as they are shortened in messages."""
    result = ""
    word1, word2, word3 = word1.lower(), word2.lower(), word3.lower()
    if word1 == "two":
        result = "2"
    if word1 == "for" or word1 == "four":
        result = "4"
    if word1 == "you":
        result = "u"
    if word1 == "and":
        result = "n"
    if word1 == "are":
        result = "r"
    elif word1 == "see" and word2 == "you":
        result = "cu"
    elif word1 == "by" and word2 == "the" and word3 == "way":
        result = "btw"
    return result


def title(sex: str, title: str) -> str:
    """Whether a title goes with a sex: a code of the sex, or -1."""
    sex, title = sex.lower(), title.lower()
    result = -1
    if sex == "male":
        if (
            title == "mr"
            or title == "dr"
            or title == "sir"
            or title == "rev"
            or title == "rthon"
            or title == "prof"
        ):
            result = 1
    elif sex == "female":
        if (
            title == "mrs"
            or title == "miss"
            or title == "ms"
            or title == "dr"
            or title == "lady"
            or title == "rev"
            or title == "rthon"
            or title == "prof"
        ):
            result = 0
    elif sex == "none":
        if title == "dr" or title == "rev" or title == "rthon" or title == "prof":
            result = 2
    return str(result)
