"""What opens a gate, each kind of condition once.

A function is one gate, and its line with the mark is run only when it opens. Gates that look at
the request itself are in the services. `Memory` holds the gates that need several calls.
"""

import base64
import json
import re
from datetime import date, datetime
from enum import Enum
from uuid import UUID

FEES = {"NO1": 310, "NO2": 545, "IS1": 420, "IS3": 1290, "FO2": 780}
AIRPORTS = {"KEF", "TRD", "BGO", "SVG"}
SHELF_SIZE = 10_000

SERIAL = re.compile(r"[A-F]{2}[0-9]{4}-[xyz]")
VERSION = re.compile(r"v([0-9]+)\.([0-9]+)\.([0-9]+)")
PAINT = re.compile(r"(red|green|blue)-(light|dark)-([0-9]{2})")


class Size(Enum):
    SMALL = 1
    MEDIUM = 2
    LARGE = 3
    COLOSSAL = 9


def text_equal(word: str) -> bool:
    if word == "porcupine":
        return True  # gate: text-equal
    return False


def text_folded(word: str) -> bool:
    if word.strip().lower() == "armadillo":
        return True  # gate: text-folded
    return False


def prefix_suffix(plate: str) -> bool:
    if plate.startswith("KX-") and plate.endswith("-9Q") and len(plate) == 12:
        return True  # gate: prefix-suffix
    return False


def contains(note: str) -> bool:
    if "overdue" in note and len(note) > 20:
        return True  # gate: contains
    return False


def regex_whole(serial: str) -> bool:
    if SERIAL.fullmatch(serial):
        return True  # gate: regex-whole
    return False


def regex_groups(version: str) -> bool:
    match = VERSION.fullmatch(version)
    if match is None:
        return False
    major, minor, patch = (int(part) for part in match.groups())
    if major == 7 and minor > patch and patch == 21:
        return True  # gate: regex-groups
    return False


def regex_alternatives(paint: str) -> bool:
    match = PAINT.match(paint)
    if match and match[1] != "red" and match[2] == "dark" and match[3] == "42":
        return True  # gate: regex-alternatives
    return False


def slice_of_text(code: str) -> bool:
    if code[2:5] == "xyz" and code[-1:] == "7":
        return True  # gate: slice
    return False


def split(route: str) -> bool:
    stops = route.split(":")
    if len(stops) == 3 and stops[0] == "oslo" and stops[2] == "rome":
        return True  # gate: split
    return False


def leap_day(text: str) -> bool:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    if day.month == 2 and day.day == 29 and day.year < 2000:
        return True  # gate: leap-day
    return False


def weekday(text: str) -> bool:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return False
    if moment.weekday() == 6 and moment.month == 11 and moment.hour == 3:
        return True  # gate: weekday
    return False


def date_after(arrival: str, departure: str) -> bool:
    try:
        first, last = date.fromisoformat(arrival), date.fromisoformat(departure)
    except ValueError:
        return False
    if last > first and (last - first).days == 28:
        return True  # gate: date-after
    return False


def big_integer(number: int) -> bool:
    if number == 738_265_914:
        return True  # gate: big-integer
    return False


def sum_product(width: int, height: int) -> bool:
    if width * height == 7387 and width + height == 172:
        return True  # gate: sum-product
    return False


def checksum(card: str) -> bool:
    """Luhn's: from the right, each second digit counts twice, and its own digits are added."""
    if len(card) != 12 or not card.isdecimal() or card.count(card[0]) == 12:
        return False
    total = 0
    for place, digit in enumerate(reversed(card)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    if total % 10 == 0:
        return True  # gate: checksum
    return False


def float_range(celsius: float) -> bool:
    if 36.61 < celsius < 36.62:
        return True  # gate: float-range
    return False


def table_code(country: str, weight: int) -> bool:
    fee = FEES.get(f"{country[:2].upper()}{weight // 10}")
    if fee is not None and fee > 1000:
        return True  # gate: table-code
    return False


def member(airport: str) -> bool:
    if airport in AIRPORTS:
        return True  # gate: member
    return False


def enum_name(name: str) -> bool:
    try:
        size = Size[name]
    except KeyError:
        return False
    if size is Size.COLOSSAL:
        return True  # gate: enum-name
    return False


def cases(command: str, argument: int) -> bool:
    match command:
        case "fill" | "empty":
            return False
        case "drain" if argument == 12:
            return True  # gate: cases
        case _:
            return False


def inputs_equal(password: str, repeated: str) -> bool:
    if len(password) >= 8 and password == repeated:
        return True  # gate: inputs-equal
    return False


def inputs_reversed(left: str, right: str) -> bool:
    if len(left) >= 5 and left != right and right == left[::-1]:
        return True  # gate: inputs-reversed
    return False


def inputs_upper(name: str, label: str) -> bool:
    if len(name) >= 4 and name != label and label == name.upper():
        return True  # gate: inputs-upper
    return False


def base64_json(token: str) -> bool:
    try:
        claims = json.loads(base64.b64decode(token, validate=True))
    except ValueError:
        return False
    if isinstance(claims, dict) and claims.get("role") == "keeper":
        return True  # gate: base64-json
    return False


def json_text(document: str) -> bool:
    try:
        content = json.loads(document)
    except ValueError:
        return False
    if isinstance(content, dict) and content.get("kind") == "ledger":
        return True  # gate: json-text
    return False


def uuid_version(text: str) -> bool:
    try:
        identifier = UUID(text)
    except ValueError:
        return False
    if identifier.version == 5:
        return True  # gate: uuid-version
    return False


def array(items: list[str]) -> bool:
    if len(items) == 4 and items[2] == "lemon":
        return True  # gate: array
    return False


def four_conditions(amount: int, months: int, purpose: str, grade: str) -> bool:
    if amount > 50_000 and months % 12 == 0:
        if purpose == "houseboat" and grade in ("AA", "AAA"):
            return True  # gate: four-conditions
    return False


class Memory:
    """What calls leave behind for later ones."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}  # of tickets
        self.tickets = 0
        self.ledgers: dict[str, list[int]] = {}
        self.valves: dict[str, str] = {}
        self.rings: dict[str, int] = {}

    def draw(self) -> tuple[int, int]:
        """A new ticket and its number, which nobody can guess from the ticket."""
        make_room(self.numbers)
        self.tickets += 1
        self.numbers[self.tickets] = 1000 + self.tickets * 7919 % 8999
        return self.tickets, self.numbers[self.tickets]

    def sum_of_answers(self, first: int, second: int, total: int) -> bool:
        if first == second or first not in self.numbers or second not in self.numbers:
            return False
        if self.numbers[first] + self.numbers[second] == total:
            return True  # gate: sum-of-answers
        return False

    def enter(self, ledger: str, amount: int) -> None:
        make_room(self.ledgers)
        self.ledgers.setdefault(ledger, []).append(amount)

    def stored_sum(self, ledger: str, total: int) -> bool:
        amounts = self.ledgers.get(ledger, [])
        if len(amounts) >= 2 and total > 1000 and sum(amounts) == total:
            return True  # gate: stored-sum
        return False

    def turn(self, valve: str, position: str) -> None:
        make_room(self.valves)
        self.valves[valve] = position

    def state(self, valve: str) -> bool:
        if self.valves.get(valve) == "bypass":
            return True  # gate: state
        return False

    def counter(self, bell: str) -> bool:
        make_room(self.rings)
        self.rings[bell] = self.rings.get(bell, 0) + 1
        if self.rings[bell] >= 3:
            return True  # gate: counter
        return False


def make_room(shelf: dict) -> None:
    """A long run must not eat the machine."""
    if len(shelf) >= SHELF_SIZE:
        del shelf[next(iter(shelf))]
