"""Expense claims in memory, by GraphQL: employees make claims, claims have entries (purchases and
journeys), and entries are shared among cost centres.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `C1,C3`.

    C1   field Spending.previousCents  raises where a day of the range is 29 February
    C2   query costCentres             raises by BUDGET descending where a match has no budget
    C3   field Claim.nextStep          is null, though `String!`, for a withdrawn claim
    C4   field Claim.paidOn            is written with a time, unlike every other Date
    C5   query entries                 maxAmountCents is ignored where it is 0
    C6   query entries                 by AMOUNT, the next page leaves out entries of equal amount
    C7   query entry                   still shows the entries of a deleted claim
    C8   mutation createClaim          refuses a purchase, but keeps the claim
    C9   mutation assignManager        takes back what updateEmployee changed before
    C10  mutation hireEmployee         leaks SQL where the handle differs only in case from another
    C11  mutation updateCostCentre     lets two cost centres have the same code
    C12  query employees               takes 1.5 s where nameContains is a single character

Without faults it keeps to its schema, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset goes
back to the few things it begins with.
"""

import asyncio
import base64
import datetime
import enum
import gc
import itertools
import os
import re
from collections.abc import Iterable
from dataclasses import field
from typing import Annotated

import strawberry
from fastapi import FastAPI, HTTPException, Request
from graphql import FieldNode, GraphQLError, GraphQLSyntaxError, OperationDefinitionNode
from strawberry import UNSET
from strawberry.extensions import ParserCache, SchemaExtension, ValidationCache
from strawberry.fastapi import GraphQLRouter
from strawberry.schema.config import StrawberryConfig

FAULTS = tuple(f"C{number}" for number in range(1, 13))
MOST_OF_A_KIND = 20_000
LONGEST_PAGE = 50
LONGEST_TEXT = 60
MOST_CENTS = 100_000  # times MOST_OF_A_KIND still fits into an Int
MOST_BUDGET = 1_000_000_000
MOST_ENTRIES = 20
MOST_PURCHASES = 5
MOST_SHARES = 5
LEAKED = (
    "(sqlite3.IntegrityError) UNIQUE constraint failed: index 'ix_employees_handle_ci' "
    "[SQL: INSERT INTO employees (handle, name, grade, phone, joined_on, manager_id) "
    "VALUES (?, ?, ?, ?, ?, ?)]"
)


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


def wrong(text: str) -> GraphQLError:
    return GraphQLError(text, extensions={"code": "BAD_USER_INPUT"})


def conflict(text: str) -> GraphQLError:
    return GraphQLError(text, extensions={"code": "CONFLICT"})


def found(shelf: dict, id: str, what: str):
    if id not in shelf:
        raise GraphQLError(f"there is no {what} with this id", extensions={"code": "NOT_FOUND"})
    return shelf[id]


def told(kind, description: str):
    return Annotated[kind, strawberry.argument(description=description)]


def parse_day(value) -> datetime.date:
    if isinstance(value, str) and re.fullmatch(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}", value):
        try:
            return datetime.date.fromisoformat(value)
        except ValueError:
            pass
    raise wrong("a Date is a day as YYYY-MM-DD, in the years 2000 to 2099")


Day = strawberry.scalar(
    name="Date",
    description="A day as YYYY-MM-DD, without a time, in the years 2000 to 2099.",
    specified_by_url="https://www.rfc-editor.org/rfc/rfc3339#section-5.6",
    serialize=lambda value: value.isoformat(),
    parse_value=parse_day,
)

Limit = told(int, f"The most to answer with, from 1 to {LONGEST_PAGE}.")
Offset = told(int, "How many to leave out, 0 or more; behind the last one nothing is left.")
Descending = told(bool, "Turns the whole order around.")


@strawberry.enum
class Grade(enum.Enum):
    JUNIOR = "junior"
    SENIOR = "senior"
    LEAD = "lead"
    DIRECTOR = "director"


@strawberry.enum
class CentreState(enum.Enum):
    OPEN = strawberry.enum_value("open", description="Entries can be charged to it.")
    CLOSED = strawberry.enum_value("closed", description="Keeps what it has, takes nothing new.")


@strawberry.enum
class ClaimState(enum.Enum):
    DRAFT = strawberry.enum_value("draft", description="Its entries can change.")
    SUBMITTED = strawberry.enum_value("submitted", description="Waits for a decision.")
    WITHDRAWN = strawberry.enum_value("withdrawn", description="Was submitted, then taken back.")
    APPROVED = strawberry.enum_value("approved", description="Waits for being paid.")
    REJECTED = strawberry.enum_value("rejected", description="Will not be paid.")
    PAID = "paid"


@strawberry.enum
class Verdict(enum.Enum):
    APPROVE = "approve"
    REJECT = "reject"


@strawberry.enum
class Category(enum.Enum):
    MEALS = "meals"
    LODGING = "lodging"
    SUPPLIES = "supplies"
    OTHER = "other"


@strawberry.enum(description="A kilometre costs a fixed rate.")
class Vehicle(enum.Enum):
    CAR = strawberry.enum_value("car", description="30 cents per kilometre.")
    TRAIN = strawberry.enum_value("train", description="20 cents per kilometre.")
    BICYCLE = strawberry.enum_value("bicycle", description="5 cents per kilometre.")


RATES = {Vehicle.CAR: 30, Vehicle.TRAIN: 20, Vehicle.BICYCLE: 5}


@strawberry.enum
class EntryKind(enum.Enum):
    PURCHASE = "Purchase"
    JOURNEY = "Journey"


@strawberry.enum
class EmployeeOrder(enum.Enum):
    HIRED = strawberry.enum_value("hired", description="In the order in which they were entered.")
    NAME = strawberry.enum_value("name", description="By name, capital before small letters.")
    JOINED_ON = "joined_on"


@strawberry.enum
class CentreOrder(enum.Enum):
    CODE = "code"
    BUDGET = strawberry.enum_value("budget", description="Those without a budget are last.")
    SPENT = "spent"


@strawberry.enum
class EntryOrder(enum.Enum):
    ADDED = strawberry.enum_value("ADDED", description="In the order in which they were added.")
    AMOUNT = strawberry.enum_value("AMOUNT", description="Smallest first, then as ADDED.")
    SPENT_ON = strawberry.enum_value("SPENT_ON", description="Earliest first, then as ADDED.")


@strawberry.type(description="No two employees have the same handle, whatever its case.")
class Employee:
    id: strawberry.ID
    handle: str
    name: str
    grade: Grade
    phone: str | None
    joined_on: datetime.date
    manager: "Employee | None"
    seq: strawberry.Private[int]
    as_hired: strawberry.Private[tuple]
    own_team: strawberry.Private[dict] = field(default_factory=dict)
    own_claims: strawberry.Private[dict] = field(default_factory=dict)
    own_decisions: strawberry.Private[set] = field(default_factory=set)

    @strawberry.field(description="Those who have this employee as manager, in order of hiring.")
    def team(self, limit: Limit = 5, offset: Offset = 0) -> list["Employee"]:
        return page(sorted(self.own_team.values(), key=lambda e: e.seq), limit, offset)

    @strawberry.field(description="The claims of this employee, oldest first.")
    def claims(
        self, state: ClaimState | None = None, limit: Limit = 5, offset: Offset = 0
    ) -> list["Claim"]:
        own = self.own_claims.values()
        return page([c for c in own if state is None or c.state is state], limit, offset)

    @strawberry.field(description="How many claims the employee has, in any state.")
    def claim_count(self) -> int:
        return len(self.own_claims)


@strawberry.type(description="No two cost centres have the same code.")
class CostCentre:
    id: strawberry.ID
    code: str
    title: str
    state: CentreState
    budget_cents: int | None
    spent_cents: int = strawberry.field(
        description="The sum of its shares of all entries, whatever the state of the claim."
    )
    seq: strawberry.Private[int]
    own_entries: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field(description="budgetCents less spentCents; null without a budget.")
    def remaining_cents(self) -> int | None:
        return None if self.budget_cents is None else self.budget_cents - self.spent_cents

    @strawberry.field(description="The entries it has a share of, oldest first.")
    def entries(self, limit: Limit = 5, offset: Offset = 0) -> list["Entry"]:
        return page(self.own_entries.values(), limit, offset)


@strawberry.type(description="The part of an entry that is charged to one cost centre.")
class Share:
    cost_centre: CostCentre
    weight: int
    amount_cents: int = strawberry.field(
        description="By weight, rounded down; the first share has what rounding leaves over."
    )


@strawberry.interface(description="What was spent: a purchase or a journey.")
class Entry:
    id: strawberry.ID
    claim: "Claim"
    spent_on: datetime.date
    amount_cents: int
    shares: list[Share]
    seq: strawberry.Private[int]


@strawberry.type
class Purchase(Entry):
    vendor: str
    category: Category


@strawberry.type(description="Its amount is the kilometres times the rate of the vehicle.")
class Journey(Entry):
    from_place: str
    to_place: str
    kilometres: int
    vehicle: Vehicle


@strawberry.type
class Decision:
    verdict: Verdict
    decided_by: Employee
    decided_on: datetime.date
    note: str | None


NEXT_STEPS = {
    ClaimState.DRAFT: "Submit it.",
    ClaimState.SUBMITTED: "Wait for the decision.",
    ClaimState.APPROVED: "Wait for the money.",
    ClaimState.REJECTED: "Nothing, or delete it.",
    ClaimState.PAID: "Nothing.",
}


@strawberry.type
class Claim:
    id: strawberry.ID
    title: str
    state: ClaimState
    employee: Employee
    submitted_on: datetime.date | None
    decision: Decision | None
    seq: strawberry.Private[int]
    paid_day: strawberry.Private[datetime.date | None] = None
    own_entries: strawberry.Private[dict] = field(default_factory=dict)

    @strawberry.field(description="The day of the payment; null where it is not PAID.")
    def paid_on(self) -> datetime.date | None:
        if self.paid_day is not None and expenses.met("C4"):
            return datetime.datetime.combine(self.paid_day, datetime.time())
        return self.paid_day

    @strawberry.field(description="All its entries, in the order in which they were added.")
    def entries(self) -> list[Entry]:
        return list(self.own_entries.values())

    @strawberry.field
    def entry_count(self) -> int:
        return len(self.own_entries)

    @strawberry.field(description="The sum of its entries.")
    def total_cents(self) -> int:
        return total(self.own_entries.values())

    @strawberry.field(description="What is to be done now, in words; it depends on the state.")
    def next_step(self) -> str:
        if self.state is ClaimState.WITHDRAWN and not expenses.met("C3"):
            return "Delete it, or make another."
        return NEXT_STEPS.get(self.state)


@strawberry.type
class EmployeePage:
    total_count: int = strawberry.field(description="How many match, on all pages.")
    items: list[Employee]


@strawberry.type
class CostCentrePage:
    total_count: int = strawberry.field(description="How many match, on all pages.")
    items: list[CostCentre]


@strawberry.type
class ClaimPage:
    total_count: int = strawberry.field(description="How many match, on all pages.")
    items: list[Claim]


@strawberry.type
class PageInfo:
    has_next_page: bool
    end_cursor: str | None


@strawberry.type
class EntryEdge:
    cursor: str
    node: Entry


@strawberry.type
class EntryConnection:
    total_count: int = strawberry.field(description="How many match, on all pages.")
    edges: list[EntryEdge]
    page_info: PageInfo


@strawberry.type(description="What was spent on the days of a range, both ends included.")
class Spending:
    from_day: datetime.date
    to_day: datetime.date

    @strawberry.field
    def entry_count(self) -> int:
        return len(expenses.spent_between(self.from_day, self.to_day))

    @strawberry.field
    def total_cents(self) -> int:
        return total(expenses.spent_between(self.from_day, self.to_day))

    @strawberry.field(
        description="The total of the same days one year before. "
        "For 29 February that is 28 February."
    )
    def previous_cents(self) -> int:
        first, last = year_before(self.from_day), year_before(self.to_day)
        return total(expenses.spent_between(first, last))


def year_before(day: datetime.date) -> datetime.date:
    if (day.month, day.day) == (2, 29) and not expenses.met("C1"):
        return datetime.date(day.year - 1, 2, 28)
    return day.replace(year=day.year - 1)


@strawberry.input
class ClaimFilter:
    employee_id: strawberry.ID | None = None
    states: list[ClaimState] | None = strawberry.field(
        default=None, description="Any of these; an empty list matches nothing."
    )
    min_total_cents: int | None = None


@strawberry.input(description="What is given must hold together.")
class EntryFilter:
    kind: EntryKind | None = None
    claim_id: strawberry.ID | None = None
    cost_centre_id: strawberry.ID | None = strawberry.field(
        default=None, description="Entries with a share of this cost centre."
    )
    min_amount_cents: int | None = strawberry.field(default=None, description="At least this.")
    max_amount_cents: int | None = strawberry.field(default=None, description="At most this.")
    spent_from: datetime.date | None = None
    spent_to: datetime.date | None = None


@strawberry.input
class HireInput:
    handle: str = strawberry.field(
        description="2 to 20 letters, digits, `.`, `-` or `_`. Two handles that differ only in "
        "case are the same."
    )
    name: str = strawberry.field(description="1 to 60 characters, not blank.")
    joined_on: datetime.date
    grade: Grade = Grade.JUNIOR
    phone: str | None = strawberry.field(
        default=None, description="1 to 60 characters, not blank."
    )
    manager_id: strawberry.ID | None = None


@strawberry.input(description="What is not given stays as it is.")
class EmployeeChanges:
    name: str | None = strawberry.field(
        default=UNSET, description="1 to 60 characters, not blank; null leaves it as it is."
    )
    grade: Grade | None = strawberry.field(
        default=UNSET, description="null leaves it as it is."
    )
    phone: str | None = strawberry.field(
        default=UNSET, description="1 to 60 characters, not blank; null takes it away."
    )


@strawberry.input
class CostCentreInput:
    code: str = strawberry.field(description="2 to 8 capital letters or digits.")
    title: str = strawberry.field(description="1 to 60 characters, not blank.")
    budget_cents: int | None = strawberry.field(
        default=None, description=f"0 to {MOST_BUDGET}; null where there is none."
    )


@strawberry.input(description="What is not given stays as it is.")
class CostCentreChanges:
    code: str | None = strawberry.field(
        default=UNSET, description="2 to 8 capital letters or digits; null leaves it as it is."
    )
    title: str | None = strawberry.field(
        default=UNSET, description="1 to 60 characters, not blank; null leaves it as it is."
    )
    budget_cents: int | None = strawberry.field(
        default=UNSET, description=f"0 to {MOST_BUDGET}; null takes it away."
    )
    state: CentreState | None = strawberry.field(
        default=UNSET, description="null leaves it as it is."
    )


@strawberry.input
class ShareInput:
    cost_centre_id: strawberry.ID = strawberry.field(description="It must be OPEN.")
    weight: int = strawberry.field(default=1, description="1 to 100.")


SHARES = "1 to 5, each of another cost centre."


@strawberry.input
class PurchaseInput:
    vendor: str = strawberry.field(description="1 to 60 characters, not blank.")
    amount_cents: int = strawberry.field(description=f"1 to {MOST_CENTS}.")
    spent_on: datetime.date
    shares: list[ShareInput] = strawberry.field(description=SHARES)
    category: Category = Category.OTHER


@strawberry.input
class JourneyInput:
    from_place: str = strawberry.field(description="1 to 60 characters, not blank.")
    to_place: str = strawberry.field(description="1 to 60 characters, not blank.")
    kilometres: int = strawberry.field(description="1 to 1000.")
    spent_on: datetime.date
    shares: list[ShareInput] = strawberry.field(description=SHARES)
    vehicle: Vehicle = Vehicle.CAR


@strawberry.input
class ClaimInput:
    title: str = strawberry.field(description="1 to 60 characters, not blank.")
    employee_id: strawberry.ID
    purchases: list[PurchaseInput] = strawberry.field(
        default_factory=list,
        description=f"At most {MOST_PURCHASES} to begin with. If one of them is refused, nothing "
        "is made.",
    )


class Expenses:
    """All that the service knows. Everything begins again with each reset."""

    def __init__(self):
        self.stats = {"requests": 0, **dict.fromkeys(FAULTS, 0)}
        self.by_operation = {}
        self.numbers = {prefix: itertools.count(1) for prefix in ("emp", "cc", "clm", "ent")}
        self.employees: dict[str, Employee] = {}
        self.by_handle: dict[str, Employee] = {}
        self.centres: dict[str, CostCentre] = {}
        self.codes: dict[str, CostCentre] = {}
        self.claims: dict[str, Claim] = {}
        self.entries: dict[str, Entry] = {}
        self.lost_entries: dict[str, Entry] = {}
        self.seed()

    def met(self, fault: str) -> bool:
        if fault in faults:
            self.stats[fault] += 1
        return fault in faults

    def next(self, prefix: str) -> tuple[strawberry.ID, int]:
        number = next(self.numbers[prefix])
        return strawberry.ID(f"{prefix}-{number}"), number

    def spent_between(self, first: datetime.date, last: datetime.date) -> list[Entry]:
        return [e for e in self.entries.values() if first <= e.spent_on <= last]

    def add_employee(self, handle, name, grade, phone, joined_on, manager) -> Employee:
        id, seq = self.next("emp")
        as_hired = (name, grade, phone)
        employee = Employee(
            id=id, handle=handle, name=name, grade=grade, phone=phone, joined_on=joined_on,
            manager=manager, seq=seq, as_hired=as_hired,
        )
        self.employees[id] = self.by_handle[handle.lower()] = employee
        if manager:
            manager.own_team[id] = employee
        return employee

    def drop_employee(self, employee: Employee) -> None:
        del self.employees[employee.id], self.by_handle[employee.handle.lower()]
        if employee.manager:
            del employee.manager.own_team[employee.id]

    def add_centre(self, code, title, budget) -> CostCentre:
        id, seq = self.next("cc")
        centre = CostCentre(
            id=id, code=code, title=title, state=CentreState.OPEN, budget_cents=budget,
            spent_cents=0, seq=seq,
        )
        self.centres[id] = self.codes[code] = centre
        return centre

    def add_claim(self, title, employee) -> Claim:
        id, seq = self.next("clm")
        claim = Claim(
            id=id, title=title, state=ClaimState.DRAFT, employee=employee, submitted_on=None,
            decision=None, seq=seq,
        )
        self.claims[id] = employee.own_claims[id] = claim
        return claim

    def drop_claim(self, claim: Claim) -> None:
        for entry in list(claim.own_entries.values()):
            self.drop_entry(entry)
            self.lost_entries[entry.id] = entry
            claim.own_entries[entry.id] = entry
        if claim.decision:
            claim.decision.decided_by.own_decisions.discard(claim.id)
        del self.claims[claim.id], claim.employee.own_claims[claim.id]

    def add_entry(self, claim: Claim, kind, parts: list, **values) -> Entry:
        id, seq = self.next("ent")
        amount = values["amount_cents"]
        weights = sum(weight for _, weight in parts)
        amounts = [amount * weight // weights for _, weight in parts]
        amounts[0] += amount - sum(amounts)
        shares = [
            Share(cost_centre=centre, weight=weight, amount_cents=cents)
            for (centre, weight), cents in zip(parts, amounts)
        ]
        entry = kind(id=id, seq=seq, claim=claim, shares=shares, **values)
        self.entries[id] = claim.own_entries[id] = entry
        for share in shares:
            share.cost_centre.own_entries[id] = entry
            share.cost_centre.spent_cents += share.amount_cents
        return entry

    def drop_entry(self, entry: Entry) -> None:
        del self.entries[entry.id], entry.claim.own_entries[entry.id]
        for share in entry.shares:
            del share.cost_centre.own_entries[entry.id]
            share.cost_centre.spent_cents -= share.amount_cents

    def seed(self) -> None:
        day = datetime.date.fromisoformat
        ines = self.add_employee(
            "ines", "Ines Duarte", Grade.DIRECTOR, "+351 21 555 010", day("2015-03-01"), None
        )
        tomas = self.add_employee(
            "tomas.k", "Tomas Kral", Grade.LEAD, None, day("2018-09-17"), ines
        )
        yuki = self.add_employee(
            "yuki", "Yuki Mori", Grade.SENIOR, "555-0142", day("2020-02-29"), tomas
        )
        self.add_employee("bob_w", "Bob Weller", Grade.JUNIOR, None, day("2025-01-07"), tomas)
        ops = self.add_centre("OPS", "Operations", 500_000)
        rnd = self.add_centre("RND", "Research", None)
        mkt = self.add_centre("MKT24", "Fair 2024", 20_000)
        trips = self.add_claim("Customer visit", yuki)
        fair = self.add_claim("Trade fair", yuki)
        tools = self.add_claim("Lab tools", tomas)
        office = self.add_claim("Office move", tomas)

        def bought(claim, vendor, cents, on, category, *parts):
            self.add_entry(
                claim, Purchase, list(parts), vendor=vendor, amount_cents=cents,
                spent_on=day(on), category=category,
            )

        def went(claim, start, end, kilometres, vehicle, on, *parts):
            self.add_entry(
                claim, Journey, list(parts), from_place=start, to_place=end,
                kilometres=kilometres, vehicle=vehicle, spent_on=day(on),
                amount_cents=kilometres * RATES[vehicle],
            )

        bought(trips, "Cafe Luz", 1250, "2026-01-12", Category.MEALS, (ops, 1))
        went(trips, "Porto", "Braga", 120, Vehicle.CAR, "2026-01-12", (ops, 2), (rnd, 1))
        bought(fair, "Hotel Mar", 9900, "2024-02-28", Category.LODGING, (mkt, 1))
        bought(fair, "Cafe Luz", 1250, "2024-02-29", Category.MEALS, (mkt, 1), (ops, 1))
        bought(tools, "Screws & Co", 4000, "2025-06-30", Category.SUPPLIES, (rnd, 1))
        went(office, "Quay 1", "Mill Lane", 20, Vehicle.BICYCLE, "2025-02-28", (ops, 1))
        mkt.state = CentreState.CLOSED
        fair.state, fair.submitted_on = ClaimState.SUBMITTED, day("2024-03-04")
        tools.state, tools.submitted_on = ClaimState.APPROVED, day("2025-07-01")
        decide(tools, ines, Verdict.APPROVE, day("2025-07-02"), None)


def decide(claim: Claim, decider: Employee, verdict: Verdict, day, note: str | None) -> None:
    claim.decision = Decision(verdict=verdict, decided_by=decider, decided_on=day, note=note)
    claim.state = ClaimState.APPROVED if verdict is Verdict.APPROVE else ClaimState.REJECTED
    decider.own_decisions.add(claim.id)


def total(entries: Iterable[Entry]) -> int:
    return sum(entry.amount_cents for entry in entries)


def page(things: Iterable, limit: int, offset: int) -> list:
    if not 1 <= limit <= LONGEST_PAGE:
        raise wrong(f"limit must be from 1 to {LONGEST_PAGE}")
    if offset < 0:
        raise wrong("offset must not be negative")
    return list(itertools.islice(things, offset, offset + limit))


def check_text(name: str, text: str) -> None:
    if not text.strip():
        raise wrong(f"{name} must not be blank")
    if len(text) > LONGEST_TEXT:
        raise wrong(f"{name} must not have more than {LONGEST_TEXT} characters")


def check_range(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise wrong(f"{name} must be from {least} to {most}")


def check_code(code: str) -> None:
    if not re.fullmatch(r"[A-Z0-9]{2,8}", code):
        raise wrong("code must be 2 to 8 capital letters or digits")


def check_room(shelf: dict, what: str) -> None:
    if len(shelf) >= MOST_OF_A_KIND:
        raise conflict(f"there are {MOST_OF_A_KIND} {what} already, which is the most there can be")


def check_shares(shares: list[ShareInput]) -> list:
    check_range("the number of shares", len(shares), 1, MOST_SHARES)
    parts = []
    for share in shares:
        centre = found(expenses.centres, share.cost_centre_id, "cost centre")
        check_range("weight", share.weight, 1, 100)
        if any(centre is other for other, _ in parts):
            raise wrong("each share must be of another cost centre")
        if centre.state is CentreState.CLOSED:
            raise conflict(f"the cost centre {centre.code} is closed")
        parts.append((centre, share.weight))
    return parts


def check_purchase(purchase: PurchaseInput) -> dict:
    check_text("vendor", purchase.vendor)
    check_range("amountCents", purchase.amount_cents, 1, MOST_CENTS)
    return {
        "kind": Purchase,
        "parts": check_shares(purchase.shares),
        "vendor": purchase.vendor,
        "amount_cents": purchase.amount_cents,
        "spent_on": purchase.spent_on,
        "category": purchase.category,
    }


def check_journey(journey: JourneyInput) -> dict:
    check_text("fromPlace", journey.from_place)
    check_text("toPlace", journey.to_place)
    check_range("kilometres", journey.kilometres, 1, 1000)
    return {
        "kind": Journey,
        "parts": check_shares(journey.shares),
        "from_place": journey.from_place,
        "to_place": journey.to_place,
        "kilometres": journey.kilometres,
        "vehicle": journey.vehicle,
        "spent_on": journey.spent_on,
        "amount_cents": journey.kilometres * RATES[journey.vehicle],
    }


def check_draft(claim: Claim) -> None:
    if claim.state is not ClaimState.DRAFT:
        raise conflict(f"only the entries of a DRAFT can change; this claim is {claim.state.name}")


def check_one_more(claim: Claim) -> None:
    check_draft(claim)
    if len(claim.own_entries) >= MOST_ENTRIES:
        raise conflict(f"the claim has {MOST_ENTRIES} entries already, which is the most")
    check_room(expenses.entries, "entries")


def check_state(claim: Claim, needed: ClaimState) -> None:
    if claim.state is not needed:
        raise conflict(f"the claim must be {needed.name} for this; it is {claim.state.name}")


def check_not_before(day: datetime.date, earliest: datetime.date, what: str) -> None:
    if day < earliest:
        raise wrong(f"day must not be before {what}, which is {earliest.isoformat()}")


def entry_key(entry: Entry, order: EntryOrder) -> tuple[int, int]:
    if order is EntryOrder.AMOUNT:
        return entry.amount_cents, entry.seq
    if order is EntryOrder.SPENT_ON:
        return entry.spent_on.toordinal(), entry.seq
    return 0, entry.seq


def written_cursor(entry: Entry, order: EntryOrder) -> str:
    value, seq = entry_key(entry, order)
    return base64.urlsafe_b64encode(f"{order.value}:{value}:{seq}".encode()).decode()


def read_cursor(cursor: str, order: EntryOrder) -> tuple[int, int]:
    try:
        text = base64.b64decode(cursor.encode("ascii"), b"-_", validate=True).decode("ascii")
    except ValueError:
        text = ""
    parts = re.fullmatch(r"([A-Z_]+):([0-9]{1,10}):([0-9]{1,10})", text)
    if not parts or parts[1] != order.value:
        raise wrong("after must be a cursor of this list, in the same order")
    return int(parts[2]), int(parts[3])


def entry_matches(entry: Entry, wanted: EntryFilter, most: int | None) -> bool:
    return (
        (wanted.kind is None or type(entry).__name__ == wanted.kind.value)
        and (wanted.claim_id is None or entry.claim.id == wanted.claim_id)
        and (
            wanted.cost_centre_id is None
            or any(share.cost_centre.id == wanted.cost_centre_id for share in entry.shares)
        )
        and (wanted.min_amount_cents is None or entry.amount_cents >= wanted.min_amount_cents)
        and (most is None or entry.amount_cents <= most)
        and (wanted.spent_from is None or entry.spent_on >= wanted.spent_from)
        and (wanted.spent_to is None or entry.spent_on <= wanted.spent_to)
    )


@strawberry.type
class Query:
    @strawberry.field
    def employee(self, id: strawberry.ID) -> Employee | None:
        return expenses.employees.get(id)

    @strawberry.field(description="The case of the handle does not matter.")
    def employee_by_handle(self, handle: str) -> Employee | None:
        return expenses.by_handle.get(handle.lower())

    @strawberry.field
    async def employees(
        self,
        grade: Grade | None = None,
        name_contains: told(str | None, "1 to 60 characters; their case matters.") = None,
        joined_from: datetime.date | None = None,
        joined_to: datetime.date | None = None,
        order_by: EmployeeOrder = EmployeeOrder.HIRED,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> EmployeePage:
        if name_contains is not None:
            check_range("the length of nameContains", len(name_contains), 1, LONGEST_TEXT)
        matches = [
            e
            for e in expenses.employees.values()
            if (grade is None or e.grade is grade)
            and (name_contains is None or name_contains in e.name)
            and (joined_from is None or e.joined_on >= joined_from)
            and (joined_to is None or e.joined_on <= joined_to)
        ]
        if order_by is EmployeeOrder.NAME:
            matches.sort(key=lambda e: (e.name, e.seq))
        elif order_by is EmployeeOrder.JOINED_ON:
            matches.sort(key=lambda e: (e.joined_on, e.seq))
        if descending:
            matches.reverse()
        items = page(matches, limit, offset)
        if name_contains is not None and len(name_contains) == 1 and expenses.met("C12"):
            await asyncio.sleep(1.5)
        return EmployeePage(total_count=len(matches), items=items)

    @strawberry.field
    def cost_centre(self, id: strawberry.ID) -> CostCentre | None:
        return expenses.centres.get(id)

    @strawberry.field
    def cost_centres(
        self,
        state: CentreState | None = None,
        code_prefix: told(str | None, "What the code begins with.") = None,
        order_by: CentreOrder = CentreOrder.CODE,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> CostCentrePage:
        matches = [
            c
            for c in expenses.centres.values()
            if (state is None or c.state is state)
            and (code_prefix is None or c.code.startswith(code_prefix))
        ]
        if order_by is CentreOrder.CODE:
            matches.sort(key=lambda c: (c.code, c.seq))
        elif order_by is CentreOrder.SPENT:
            matches.sort(key=lambda c: (c.spent_cents, c.seq))
        elif descending and any(c.budget_cents is None for c in matches) and expenses.met("C2"):
            matches.sort(key=lambda c: -c.budget_cents)
        else:
            matches.sort(key=lambda c: (c.budget_cents is None, c.budget_cents or 0, c.seq))
        if descending:
            matches.reverse()
        return CostCentrePage(total_count=len(matches), items=page(matches, limit, offset))

    @strawberry.field
    def claim(self, id: strawberry.ID) -> Claim | None:
        return expenses.claims.get(id)

    @strawberry.field(description="The claims that match, oldest first.")
    def claims(
        self,
        filter: ClaimFilter | None = None,
        descending: Descending = False,
        limit: Limit = 10,
        offset: Offset = 0,
    ) -> ClaimPage:
        wanted = filter or ClaimFilter()
        matches = [
            c
            for c in expenses.claims.values()
            if (wanted.employee_id is None or c.employee.id == wanted.employee_id)
            and (wanted.states is None or c.state in wanted.states)
            and (
                wanted.min_total_cents is None
                or total(c.own_entries.values()) >= wanted.min_total_cents
            )
        ]
        if descending:
            matches.reverse()
        return ClaimPage(total_count=len(matches), items=page(matches, limit, offset))

    @strawberry.field(description="The purchase or the journey with this id.")
    def entry(self, id: strawberry.ID) -> Entry | None:
        if id in expenses.lost_entries and expenses.met("C7"):
            return expenses.lost_entries[id]
        return expenses.entries.get(id)

    @strawberry.field(description="The entries of all claims that match.")
    def entries(
        self,
        filter: EntryFilter | None = None,
        order_by: EntryOrder = EntryOrder.ADDED,
        first: told(int, f"The size of the page, from 1 to {LONGEST_PAGE}.") = 10,
        after: told(str | None, "A cursor of the same list: what comes after it.") = None,
    ) -> EntryConnection:
        check_range("first", first, 1, LONGEST_PAGE)
        wanted = filter or EntryFilter()
        most = wanted.max_amount_cents
        matches = [e for e in expenses.entries.values() if entry_matches(e, wanted, most)]
        if most == 0:
            unbound = [e for e in expenses.entries.values() if entry_matches(e, wanted, None)]
            if unbound and expenses.met("C5"):
                matches = unbound
        if order_by is not EntryOrder.ADDED:
            matches.sort(key=lambda e: entry_key(e, order_by))
        rest = matches
        if after is not None:
            last = read_cursor(after, order_by)
            rest = [e for e in matches if entry_key(e, order_by) > last]
            if order_by is EntryOrder.AMOUNT:
                above = [e for e in rest if e.amount_cents > last[0]]
                if len(above) < len(rest) and expenses.met("C6"):
                    rest = above
        edges = [EntryEdge(cursor=written_cursor(e, order_by), node=e) for e in rest[:first]]
        return EntryConnection(
            total_count=len(matches),
            edges=edges,
            page_info=PageInfo(
                has_next_page=len(rest) > first, end_cursor=edges[-1].cursor if edges else None
            ),
        )

    @strawberry.field(description="What was spent from one day to another.")
    def spending(
        self,
        from_day: datetime.date,
        to_day: told(datetime.date, "Not before fromDay."),
    ) -> Spending:
        if to_day < from_day:
            raise wrong("toDay must not be before fromDay")
        return Spending(from_day=from_day, to_day=to_day)


@strawberry.type
class Mutation:
    @strawberry.mutation
    def hire_employee(self, input: HireInput) -> Employee:
        if not re.fullmatch(r"[A-Za-z0-9._-]{2,20}", input.handle):
            raise wrong("handle must be 2 to 20 letters, digits, `.`, `-` or `_`")
        check_text("name", input.name)
        if input.phone is not None:
            check_text("phone", input.phone)
        manager = None
        if input.manager_id is not None:
            manager = found(expenses.employees, input.manager_id, "manager")
        other = expenses.by_handle.get(input.handle.lower())
        if other:
            if other.handle != input.handle and expenses.met("C10"):
                raise RuntimeError(LEAKED)
            raise conflict("another employee has this handle already")
        check_room(expenses.employees, "employees")
        return expenses.add_employee(
            input.handle, input.name, input.grade, input.phone, input.joined_on, manager
        )

    @strawberry.mutation
    def update_employee(self, id: strawberry.ID, changes: EmployeeChanges) -> Employee:
        employee = found(expenses.employees, id, "employee")
        if changes.name:
            check_text("name", changes.name)
        elif changes.name == "":
            raise wrong("name must not be blank")
        if changes.phone is not UNSET and changes.phone is not None:
            check_text("phone", changes.phone)
        if changes.name:
            employee.name = changes.name
        if changes.grade:
            employee.grade = changes.grade
        if changes.phone is not UNSET:
            employee.phone = changes.phone
        return employee

    @strawberry.mutation(
        description="Nobody can be below themselves: not their own manager, nor that of theirs."
    )
    def assign_manager(
        self,
        employee_id: strawberry.ID,
        manager_id: told(strawberry.ID | None, "null where there is to be none.") = None,
    ) -> Employee:
        employee = found(expenses.employees, employee_id, "employee")
        manager = None
        if manager_id is not None:
            manager = found(expenses.employees, manager_id, "manager")
        above = manager
        while above:
            if above is employee:
                raise conflict("an employee must not be below themselves")
            above = above.manager
        if employee.manager:
            del employee.manager.own_team[employee.id]
        employee.manager = manager
        if manager:
            manager.own_team[employee.id] = employee
        if (employee.name, employee.grade, employee.phone) != employee.as_hired:
            if expenses.met("C9"):
                employee.name, employee.grade, employee.phone = employee.as_hired
        return employee

    @strawberry.mutation(
        description="Answers with the id. Refused where the employee has claims or a team, or "
        "decided a claim."
    )
    def remove_employee(self, id: strawberry.ID) -> strawberry.ID:
        employee = found(expenses.employees, id, "employee")
        if employee.own_claims:
            raise conflict("the employee has claims")
        if employee.own_team:
            raise conflict("the employee has a team")
        if employee.own_decisions:
            raise conflict("the employee decided claims")
        expenses.drop_employee(employee)
        return id

    @strawberry.mutation
    def open_cost_centre(self, input: CostCentreInput) -> CostCentre:
        check_code(input.code)
        check_text("title", input.title)
        if input.budget_cents is not None:
            check_range("budgetCents", input.budget_cents, 0, MOST_BUDGET)
        if input.code in expenses.codes:
            raise conflict("another cost centre has this code already")
        check_room(expenses.centres, "cost centres")
        return expenses.add_centre(input.code, input.title, input.budget_cents)

    @strawberry.mutation
    def update_cost_centre(self, id: strawberry.ID, changes: CostCentreChanges) -> CostCentre:
        centre = found(expenses.centres, id, "cost centre")
        code = centre.code if changes.code in (UNSET, None) else changes.code
        title = centre.title if changes.title in (UNSET, None) else changes.title
        check_code(code)
        check_text("title", title)
        if changes.budget_cents is not UNSET and changes.budget_cents is not None:
            check_range("budgetCents", changes.budget_cents, 0, MOST_BUDGET)
        if code != centre.code:
            if code in expenses.codes and not expenses.met("C11"):
                raise conflict("another cost centre has this code already")
            if expenses.codes.get(centre.code) is centre:
                del expenses.codes[centre.code]
            expenses.codes.setdefault(code, centre)
        centre.code, centre.title = code, title
        if changes.budget_cents is not UNSET:
            centre.budget_cents = changes.budget_cents
        if changes.state:
            centre.state = changes.state
        return centre

    @strawberry.mutation(description="Makes a DRAFT.")
    def create_claim(self, input: ClaimInput) -> Claim:
        employee = found(expenses.employees, input.employee_id, "employee")
        check_text("title", input.title)
        if len(input.purchases) > MOST_PURCHASES:
            raise wrong(f"there must not be more than {MOST_PURCHASES} purchases")
        check_room(expenses.claims, "claims")
        if input.purchases:
            check_room(expenses.entries, "entries")
        checked = []
        try:
            for purchase in input.purchases:
                checked.append(check_purchase(purchase))
        except GraphQLError:
            if expenses.met("C8"):
                make_claim(input.title, employee, checked)
            raise
        return make_claim(input.title, employee, checked)

    @strawberry.mutation(description="Only to a DRAFT, and at most 20 entries.")
    def add_purchase(self, claim_id: strawberry.ID, purchase: PurchaseInput) -> Purchase:
        claim = found(expenses.claims, claim_id, "claim")
        checked = check_purchase(purchase)
        check_one_more(claim)
        return expenses.add_entry(claim, **checked)

    @strawberry.mutation(description="Only to a DRAFT, and at most 20 entries.")
    def add_journey(self, claim_id: strawberry.ID, journey: JourneyInput) -> Journey:
        claim = found(expenses.claims, claim_id, "claim")
        checked = check_journey(journey)
        check_one_more(claim)
        return expenses.add_entry(claim, **checked)

    @strawberry.mutation(description="Only from a DRAFT. Answers with the claim it was of.")
    def remove_entry(self, id: strawberry.ID) -> Claim:
        entry = found(expenses.entries, id, "entry")
        check_draft(entry.claim)
        expenses.drop_entry(entry)
        return entry.claim

    @strawberry.mutation(description="From DRAFT to SUBMITTED. The claim must have entries.")
    def submit_claim(
        self,
        id: strawberry.ID,
        day: told(datetime.date, "Not before the latest spentOn of its entries."),
    ) -> Claim:
        claim = found(expenses.claims, id, "claim")
        check_state(claim, ClaimState.DRAFT)
        if not claim.own_entries:
            raise conflict("the claim has no entries")
        latest = max(entry.spent_on for entry in claim.own_entries.values())
        check_not_before(day, latest, "the latest spentOn")
        claim.state, claim.submitted_on = ClaimState.SUBMITTED, day
        return claim

    @strawberry.mutation(description="From SUBMITTED to WITHDRAWN.")
    def withdraw_claim(self, id: strawberry.ID) -> Claim:
        claim = found(expenses.claims, id, "claim")
        check_state(claim, ClaimState.SUBMITTED)
        claim.state = ClaimState.WITHDRAWN
        return claim

    @strawberry.mutation(description="From SUBMITTED to APPROVED or REJECTED.")
    def decide_claim(
        self,
        id: strawberry.ID,
        verdict: Verdict,
        decider_id: told(strawberry.ID, "Anyone but the employee whose claim it is."),
        day: told(datetime.date, "Not before submittedOn."),
        note: told(str | None, "1 to 60 characters, not blank.") = None,
    ) -> Claim:
        claim = found(expenses.claims, id, "claim")
        decider = found(expenses.employees, decider_id, "decider")
        if note is not None:
            check_text("note", note)
        check_state(claim, ClaimState.SUBMITTED)
        if decider is claim.employee:
            raise conflict("nobody decides their own claim")
        check_not_before(day, claim.submitted_on, "submittedOn")
        decide(claim, decider, verdict, day, note)
        return claim

    @strawberry.mutation(description="From APPROVED to PAID.")
    def pay_claim(
        self,
        id: strawberry.ID,
        day: told(datetime.date, "Not before the day of the decision."),
    ) -> Claim:
        claim = found(expenses.claims, id, "claim")
        check_state(claim, ClaimState.APPROVED)
        check_not_before(day, claim.decision.decided_on, "decidedOn")
        claim.state, claim.paid_day = ClaimState.PAID, day
        return claim

    @strawberry.mutation(
        description="Deletes a claim with its entries, and answers with its id. Refused where it "
        "is APPROVED or PAID."
    )
    def delete_claim(self, id: strawberry.ID) -> strawberry.ID:
        claim = found(expenses.claims, id, "claim")
        if claim.state in (ClaimState.APPROVED, ClaimState.PAID):
            raise conflict(f"a claim that is {claim.state.name} must not be deleted")
        expenses.drop_claim(claim)
        return id


def make_claim(title: str, employee: Employee, purchases: list[dict]) -> Claim:
    claim = expenses.add_claim(title, employee)
    for purchase in purchases:
        expenses.add_entry(claim, **purchase)
    return claim


class Count(SchemaExtension):
    """Notes which root fields were asked for, and whether the answer has errors."""

    def on_operation(self):
        yield
        context = self.execution_context
        if context.graphql_document is None or context.result is None:
            return
        outcome = "errors" if context.result.errors else "data"
        for operation in context.graphql_document.definitions:
            if isinstance(operation, OperationDefinitionNode):
                self.note(operation, outcome)

    def note(self, operation: OperationDefinitionNode, outcome: str) -> None:
        for asked in operation.selection_set.selections:
            if isinstance(asked, FieldNode):
                name = f"{operation.operation.value} {asked.name.value} {outcome}"
                expenses.by_operation[name] = expenses.by_operation.get(name, 0) + 1


class QuietSchema(strawberry.Schema):
    """A tester causes thousands of errors; nobody wants to read them twice."""

    def process_errors(self, errors, execution_context=None) -> None:
        pass


def coded(error: GraphQLError) -> dict:
    """What the framework refuses has no code of its own, but it is the caller's mistake too."""
    answer = error.formatted
    raised = error.original_error
    if "code" in (error.extensions or {}):
        return answer
    if isinstance(error, GraphQLSyntaxError):
        code = "GRAPHQL_PARSE_FAILED"
    elif raised is not None and not isinstance(raised, GraphQLError):
        return answer
    elif error.path or error.message.startswith("Variable '$"):
        code = "BAD_USER_INPUT"
    else:
        code = "GRAPHQL_VALIDATION_FAILED"
    return {**answer, "extensions": {"code": code}}


class Router(GraphQLRouter):
    """The framework fails on a body that is no object or text, or nested beyond reason."""

    async def parse_http_body(self, request):
        try:
            return await super().parse_http_body(request)
        except (AttributeError, RecursionError, UnicodeDecodeError) as error:
            raise HTTPException(400, "The body must be an object in UTF-8.") from error

    async def process_result(self, request, result):
        answer = {}
        if result.errors:
            answer["errors"] = [coded(error) for error in result.errors]
        # What failed before it ran has no data, not even null.
        if result.data is not None or any(error.path for error in result.errors or ()):
            answer["data"] = result.data
        return answer


app = FastAPI(openapi_url=None)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
expenses = Expenses()
# Most of the time would go into reading the same documents again; more of them would make the
# collector stop the service for a third of a second now and then.
caches = [lambda: ParserCache(maxsize=100), lambda: ValidationCache(maxsize=100)]
schema = QuietSchema(
    query=Query,
    mutation=Mutation,
    types=[Purchase, Journey],
    extensions=[Count, *caches],
    config=StrawberryConfig(scalar_map={datetime.date: Day}),
)
app.include_router(Router(schema, graphql_ide=None), prefix="/graphql")
gc.collect()
gc.freeze()


@app.middleware("http")
async def count(request: Request, call_next):
    if not request.url.path.startswith("/__"):
        expenses.stats["requests"] += 1
    return await call_next(request)


@app.get("/__stats")
async def get_stats():
    return {"stats": expenses.stats, "by_op": expenses.by_operation}


@app.post("/__reset")
async def reset():
    expenses.__init__()
    return {}
