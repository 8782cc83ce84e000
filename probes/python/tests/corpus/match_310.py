"""Match statements."""

from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def kind(subject):
    match subject:
        case 0 | 1:
            return "small"
        case -1:
            return "minus"
        case "admin" | "root":
            return "user"
        case None | True:
            return "single"
        case int() as n if n > 100 and n < 200:
            return "some"
        case [1, *rest] if rest:
            return "list", rest
        case {"role": "admin", **more}:
            return "map", more
        case Point(x=0, y=y):
            return "point", y
        case (x, y) if x == y:
            return "pair"
        case str(text):
            return text.upper()
    return "nothing"


for one in (0, 1, -1, "root", None, True, 150, 250, [1], [1, 2], {"role": "admin", "x": 1}, {},
            Point(0, 5), Point(1, 5), (3, 3), (3, 4), "other", 1.0):
    print(one, kind(one))


def count(subject):
    match subject:
        case 1:
            pass
        case _:
            print("wild")


def bound(subject):
    match subject, 1:
        case (2, _):
            return 2
        case other:
            return other


count(1), count(2)
print(bound(2), bound(3))


class Command:
    NAME = "go"


match "go":
    case Command.NAME:
        print("by name")
match 5:
    case 6:
        print("no")
print("after")
