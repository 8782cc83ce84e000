"""A car rental in memory: branches have vehicles, vehicles have damages, customers rent vehicles, bring
further drivers along and may return a vehicle at another branch.

FAULTS chooses what is wrong with it: `none` (the default, as is nothing at all), `all`, or some names, as `R1,R3`.

    R1   PATCH /vehicles/{id}           500 for an empty object
    R2   GET /vehicles/{id}/damages     still 200 after the vehicle was deleted
    R3   POST, PATCH /vehicles          features is null, not a list, where it is empty
    R4   PATCH /customers/{id}          a new name clears the phone
    R5   POST /vehicles                 the plate of a deleted vehicle stays taken
    R6   PATCH /rentals/{id}            refused for its drivers, but the new days are kept
    R7   GET /vehicles                  sorted by anything but id, a later page begins with the end of the one before
    R8   POST damage repair             repairs a damage of another vehicle
    R9   POST /rentals/{id}/state       a returned rental can be cancelled
    R10  GET /branches                  vehicleCount is not changed by a return at another branch
    R11  DELETE /customers/{id}         deletes a driver of a rental; that rental then gives 500
    R12  GET /customers/{id}/rentals    with state=cancelled also those of other customers

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset brings back the
start, which is not empty. Handlers never wait between looking and writing, and there is one thread, so that
requests can't come in between each other.
"""

import calendar
import datetime
import itertools
import json
import os
import re
from typing import Annotated, Literal

from fastapi import FastAPI, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException

FAULTS = tuple(f"R{number}" for number in range(1, 13))
ROOM = 20_000  # a long run must not eat the machine
MOST_DAYS = 60
LONG_DAYS = 7
ONE_WAY_CENTS = 5_000
DRIVER_CENTS = 300
ADULT_YEARS = 18
MOVES = {"reserved": ("active", "cancelled"), "active": ("returned",), "returned": (), "cancelled": ()}


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": (), "": ()}.get(text, text.split(","))
    strange = set(named) - set(FAULTS)
    if strange:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(strange))}")
    return frozenset(named)


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digits(value: object) -> object:
    if isinstance(value, str) and not re.fullmatch(r"-?[0-9]+(\.0+)?", value):
        raise ValueError("must be an integer")
    return value


def truth(value: object) -> object:
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value


def calendar_day(text: str) -> str:
    year, month, day = (int(part) for part in text.split("-"))
    if day > calendar.monthrange(year, month)[1]:
        raise ValueError("there is no such day")
    return text


def distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("nothing may be there twice")
    return values


MONTH_AND_DAY = r"-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
IS_DAY = {"format": "date"}
BRANCH = r"^[A-Z]{3}[0-9]$"
PLATE = r"^[A-Z]{1,3}-[A-Z0-9]{1,6}$"
EMAIL = r"^[a-z0-9.]{1,30}@[a-z0-9]{1,20}\.[a-z]{2,5}$"

Number = Annotated[int, Field(ge=1, le=2**53), BeforeValidator(whole)]
Count = Annotated[int, Field(ge=0), BeforeValidator(whole)]
Day = Annotated[str, Field(pattern=r"^20[0-9]{2}" + MONTH_AND_DAY, json_schema_extra=IS_DAY), AfterValidator(calendar_day)]
BirthDay = Annotated[
    str, Field(pattern=r"^(19|20)[0-9]{2}" + MONTH_AND_DAY, json_schema_extra=IS_DAY), AfterValidator(calendar_day),
]
BranchCode = Annotated[str, Field(pattern=BRANCH, examples=["HAM1"])]
Hour = Annotated[int, Field(ge=0, le=24), BeforeValidator(whole)]
Phone = Annotated[str, Field(pattern=r"^\+[0-9]{6,15}$")]
Plate = Annotated[str, Field(pattern=PLATE, description="No two vehicles have the same plate.", examples=["HH-CR100"])]
Category = Literal["mini", "compact", "estate", "van"]
Feature = Literal["aircon", "towbar", "navigation", "automatic", "winter-tyres"]
Seats = Annotated[int, Field(ge=1, le=9), BeforeValidator(whole)]
Daily = Annotated[int, Field(ge=100, le=100_000), BeforeValidator(whole)]
Kilometres = Annotated[int, Field(ge=0, le=2_000_000), BeforeValidator(whole)]
Email = Annotated[str, Field(pattern=EMAIL, description="No two customers have the same email.", examples=["a@b.de"])]
PersonName = Annotated[str, Field(min_length=1, max_length=80)]
VehicleStatus = Literal["available", "workshop"]
State = Literal["reserved", "active", "returned", "cancelled"]
IS_SET = {"uniqueItems": True}

BranchKey = Annotated[str, Path(alias="branchCode", pattern=BRANCH)]
VehicleKey = Annotated[int, Path(alias="vehicleId", ge=1, le=2**53), BeforeValidator(digits)]
DamageKey = Annotated[int, Path(alias="damageId", ge=1, le=2**53), BeforeValidator(digits)]
CustomerKey = Annotated[int, Path(alias="customerId", ge=1, le=2**53), BeforeValidator(digits)]
RentalKey = Annotated[int, Path(alias="rentalId", ge=1, le=2**53), BeforeValidator(digits)]
Limit = Annotated[int, Query(ge=1, le=100), BeforeValidator(digits)]
Offset = Annotated[int, Query(ge=0, le=100_000), BeforeValidator(digits)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class BranchChange(Strict):
    name: str = Field(min_length=1, max_length=60)
    city: str = Field(min_length=1, max_length=40)
    opensAtHour: Hour = Field(description="Before closesAtHour.")
    closesAtHour: Hour
    phone: Phone | None = None


class BranchIn(BranchChange):
    code: BranchCode


class Branch(BranchIn):
    phone: Phone | None
    vehicleCount: Count = Field(description="How many vehicles have this branch as their branchCode.")


class VehicleIn(Strict):
    plate: Plate
    branchCode: BranchCode
    category: Category
    seats: Seats
    dailyCents: Daily
    odometerKm: Kilometres = 0
    features: Annotated[list[Feature], AfterValidator(distinct)] = Field(
        default=[], max_length=5, json_schema_extra=IS_SET,
    )


# A factory keeps the default out of the document; what was left out is never looked at.
class VehiclePatch(Strict):
    branchCode: BranchCode = Field(default_factory=str)
    dailyCents: Daily = Field(default_factory=int, description="Rentals made before keep their price.")
    odometerKm: Kilometres = Field(default_factory=int, description="Not below what it was.")
    features: Annotated[list[Feature], AfterValidator(distinct)] = Field(
        default_factory=list, max_length=5, json_schema_extra=IS_SET,
    )
    status: VehicleStatus = Field(default_factory=str)


class Vehicle(Strict):
    id: Number
    plate: Plate
    branchCode: BranchCode
    category: Category
    seats: Seats
    dailyCents: Daily
    odometerKm: Kilometres
    features: list[Feature] = Field(max_length=5, json_schema_extra=IS_SET)
    status: VehicleStatus
    openDamageCount: Count = Field(description="How many of its damages are not repaired.")
    roadworthy: bool = Field(description="False while it has a severe damage that is not repaired.")


class DamageIn(Strict):
    part: str = Field(min_length=1, max_length=60)
    severity: Literal["minor", "severe"]
    reportedOn: Day


class Damage(DamageIn):
    id: Number
    vehicleId: Number
    repaired: bool
    costCents: Count | None = Field(description="Null until it is repaired.")


class RepairIn(Strict):
    costCents: Annotated[int, Field(ge=0, le=10_000_000), BeforeValidator(whole)]


class CustomerIn(Strict):
    name: PersonName
    email: Email
    phone: Phone | None = None
    bornOn: BirthDay


class CustomerPatch(Strict):
    name: PersonName = Field(default_factory=str)
    email: Email = Field(default_factory=str)
    phone: Phone | None = Field(default_factory=lambda: None)


class Customer(CustomerIn):
    id: Number
    phone: Phone | None
    rentalCount: Count = Field(description="How many rentals have this customer as customerId, in whatever state.")


DriverIds = Annotated[list[Number], AfterValidator(distinct)]
DRIVERS = (
    "The customers who may drive besides the one who rents; that one is not among them. All of them together "
    "are no more than the vehicle has seats, and each was born at least 18 years before fromDay."
)


class RentalIn(Strict):
    vehicleId: Number
    customerId: Number = Field(description="Born at least 18 years before fromDay.")
    fromDay: Day
    toDay: Day = Field(description="Not before fromDay, and at most the 60th day of the rental.")
    returnBranchCode: BranchCode | None = Field(
        default=None, description="Where it will be returned: where it is picked up if this is null.",
    )
    driverIds: DriverIds = Field(default=[], max_length=4, json_schema_extra=IS_SET, description=DRIVERS)


class RentalPatch(Strict):
    fromDay: Day = Field(default_factory=str)
    toDay: Day = Field(default_factory=str)
    returnBranchCode: BranchCode = Field(default_factory=str)
    driverIds: DriverIds = Field(
        default_factory=list, max_length=4, json_schema_extra=IS_SET, description="Takes the place of all drivers.",
    )


class Rental(Strict):
    id: Number
    vehicleId: Number
    customerId: Number
    fromDay: Day
    toDay: Day
    pickupBranchCode: BranchCode = Field(description="Where the vehicle was when it was reserved.")
    returnBranchCode: BranchCode
    driverIds: list[Number] = Field(max_length=4, json_schema_extra=IS_SET, description=DRIVERS)
    driverNames: list[PersonName] = Field(max_length=4, description="The names of the drivers, in the same order.")
    state: State
    dailyCents: Daily = Field(description="That of the vehicle when it was reserved.")
    totalCents: Count = Field(
        description="For each day (the first and the last are counted) dailyCents and 300 for each driver; of that, "
        "10 % less (rounded down) from 7 days on; and 5000 more if it is not returned where it is picked up.",
    )
    closingKm: Kilometres | None = Field(description="The odometer at the return; null unless it is returned.")


class StateIn(Strict):
    state: Literal["active", "returned", "cancelled"]
    odometerKm: Kilometres | None = Field(
        default=None, description="Must be given when the state is returned, and only then. Not below that of the "
        "vehicle.",
    )


class BranchPage(Strict):
    items: list[Branch]
    total: Count = Field(description="How many branches match, on all pages together.")


class VehiclePage(Strict):
    items: list[Vehicle]
    page: Count
    pageSize: Count
    total: Count = Field(description="How many vehicles match, on all pages together.")


class DamagePage(Strict):
    items: list[Damage]
    total: Count = Field(description="How many damages of the vehicle match, on all pages together.")


class CustomerPage(Strict):
    items: list[Customer]
    total: Count = Field(description="How many customers match, on all pages together.")


class RentalPage(Strict):
    items: list[Rental]
    hasMore: bool = Field(description="Whether more rentals match after the last of these.")


class ProblemBody(Strict):
    code: Literal["invalid", "rule", "not_found", "conflict"]
    message: str


class Problem(Strict):
    error: ProblemBody


class Shop:
    """Everything the car rental remembers."""

    def __init__(self) -> None:
        self.numbers = {kind: itertools.count(1) for kind in ("vehicle", "damage", "customer", "rental")}
        self.branches: dict[str, dict] = {}
        self.vehicles: dict[int, dict] = {}
        self.damages: dict[int, dict] = {}
        self.customers: dict[int, dict] = {}
        self.rentals: dict[int, dict] = {}
        self.gone_vehicles: set[int] = set()  # for R2
        self.gone_plates: set[str] = set()  # for R5
        self.drift: dict[str, int] = {}  # for R10
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.seed()

    def seed(self) -> None:
        for code, name, city, opens, closes, phone in (
            ("BER1", "Hauptbahnhof", "Berlin", 6, 22, "+49301234567"),
            ("BER2", "Flughafen", "Berlin", 0, 24, "+49307654321"),
            ("HAM1", "Altona", "Hamburg", 8, 18, "+49401112223"),
            ("MUC1", "Ostbahnhof", "München", 7, 20, None),
            ("LEJ1", "Südvorstadt", "Leipzig", 9, 17, None),
        ):
            self.branches[code] = {
                "code": code, "name": name, "city": city, "opensAtHour": opens, "closesAtHour": closes, "phone": phone,
            }
        for plate, branch, category, seats, cents, km, features in (
            ("B-CR100", "BER1", "mini", 4, 2900, 41_200, ["aircon"]),
            ("B-CR101", "BER1", "compact", 5, 3900, 18_750, ["aircon", "navigation"]),
            ("B-CR102", "BER2", "estate", 5, 5400, 62_010, ["aircon", "towbar", "navigation"]),
            ("HH-CR200", "HAM1", "van", 9, 8900, 99_999, ["towbar"]),
            ("HH-CR201", "HAM1", "compact", 5, 3900, 120, ["automatic", "aircon"]),
            ("M-CR300", "MUC1", "mini", 2, 2900, 7_300, ["winter-tyres"]),
            ("M-CR301", "MUC1", "estate", 5, 5600, 33_000, ["aircon", "automatic", "winter-tyres"]),
        ):
            self.add_vehicle({
                "plate": plate, "branchCode": branch, "category": category, "seats": seats, "dailyCents": cents,
                "odometerKm": km, "features": features,
            })
        for name, email, phone, born in (
            ("Lena Vogt", "lena.vogt@mail.de", "+4915112345678", "1988-04-17"),
            ("Karim Aziz", "karim@aziz.org", "+491709876543", "1995-12-01"),
            ("Zoë Brandt", "zoe.brandt@mail.de", "+4915799887766", "1979-08-30"),
            ("Otto Klein", "otto@klein.de", None, "2001-02-28"),
            ("Mei Lin", "mei.lin@mail.com", "+4916011122233", "1966-06-06"),
        ):
            self.add_customer({"name": name, "email": email, "phone": phone, "bornOn": born})
        self.add_damage(3, {"part": "left mirror", "severity": "minor", "reportedOn": "2030-01-09"})
        self.add_damage(4, {"part": "brakes", "severity": "severe", "reportedOn": "2030-02-02"})
        for vehicle, customer, first, last, back, drivers in (
            (1, 1, "2030-03-01", "2030-03-04", None, []),
            (2, 2, "2030-03-02", "2030-03-10", None, [1]),
            (3, 3, "2030-04-01", "2030-04-03", "BER1", []),
            (5, 2, "2030-05-10", "2030-05-12", None, []),
        ):
            self.add_rental(RentalIn(
                vehicleId=vehicle, customerId=customer, fromDay=first, toDay=last, returnBranchCode=back,
                driverIds=drivers,
            ).model_dump())
        self.rentals[2]["state"] = "active"

    def add_vehicle(self, fields: dict) -> dict:
        key = next(self.numbers["vehicle"])
        self.vehicles[key] = {"id": key, **fields, "status": "available"}
        return self.vehicles[key]

    def add_damage(self, vehicle: int, fields: dict) -> dict:
        key = next(self.numbers["damage"])
        self.damages[key] = {"id": key, "vehicleId": vehicle, **fields, "repaired": False, "costCents": None}
        return self.damages[key]

    def add_customer(self, fields: dict) -> dict:
        key = next(self.numbers["customer"])
        self.customers[key] = {"id": key, **fields}
        return self.customers[key]

    def add_rental(self, fields: dict) -> dict:
        key = next(self.numbers["rental"])
        vehicle = self.vehicles[fields["vehicleId"]]
        here = vehicle["branchCode"]
        self.rentals[key] = {
            "id": key, **fields, "pickupBranchCode": here, "returnBranchCode": fields["returnBranchCode"] or here,
            "state": "reserved", "dailyCents": vehicle["dailyCents"], "closingKm": None,
        }
        return self.rentals[key]

    def shown_branch(self, branch: dict) -> dict:
        count = sum(one["branchCode"] == branch["code"] for one in self.vehicles.values())
        return {**branch, "vehicleCount": max(0, count + self.drift.get(branch["code"], 0))}

    def shown_vehicle(self, vehicle: dict) -> dict:
        still = [one for one in self.damages.values() if one["vehicleId"] == vehicle["id"] and not one["repaired"]]
        severe = any(one["severity"] == "severe" for one in still)
        return {**vehicle, "openDamageCount": len(still), "roadworthy": not severe}

    def shown_customer(self, customer: dict) -> dict:
        return {**customer, "rentalCount": sum(one["customerId"] == customer["id"] for one in self.rentals.values())}

    def shown_rental(self, rental: dict) -> dict:
        names = [self.customers[key]["name"] for key in rental["driverIds"] if key in self.customers]
        return {**rental, "driverNames": names, "totalCents": price(rental)}


def price(rental: dict) -> int:
    days = day_count(rental["fromDay"], rental["toDay"])
    cents = days * (rental["dailyCents"] + DRIVER_CENTS * len(rental["driverIds"]))
    if days >= LONG_DAYS:
        cents = cents * 9 // 10
    return cents + (ONE_WAY_CENTS if rental["returnBranchCode"] != rental["pickupBranchCode"] else 0)


def day_count(first: str, last: str) -> int:
    return (datetime.date.fromisoformat(last) - datetime.date.fromisoformat(first)).days + 1


def met(fault: str) -> bool:
    """Whether a fault is there to be met at a place that asks for it; counts that it was."""
    if fault not in faults:
        return False
    shop.stats[fault] += 1
    return True


class Refusal(Exception):
    def __init__(self, status: int, code: str, message: str) -> None:
        self.status, self.code, self.message = status, code, message


def found(shelf: dict, key: object, what: str) -> dict:
    if key not in shelf:
        raise Refusal(404, "not_found", f"there is no such {what}")
    return shelf[key]


def conflict(why: str) -> Refusal:
    return Refusal(409, "conflict", why)


def rule(why: str) -> Refusal:
    return Refusal(422, "rule", why)


def make_room(shelf: dict) -> None:
    if len(shelf) >= ROOM:
        raise conflict(f"there are {ROOM} already")


def in_order(things: list[dict], order: str, tie: str) -> list[dict]:
    """Sorts by a field; a minus turns its order around. Ties are always in ascending order."""
    things = sorted(things, key=lambda one: one[tie])
    return sorted(things, key=lambda one: one[order.lstrip("-")], reverse=order.startswith("-"))


def absent(what: str) -> dict:
    return {404: {"model": Problem, "description": f"There is no such {what}."}}


def conflicts(why: str) -> dict:
    return {409: {"model": Problem, "description": f"{why}. Nothing is changed."}}


def rules(why: str) -> dict:
    return {422: {"model": Problem, "description": f"{why}. Nothing is changed."}}


class Counting:
    """Counts the requests, and for each operation how often it gave which status."""

    def __init__(self, inner) -> None:
        self.inner = inner

    async def __call__(self, scope, receive, send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/__"):
            return await self.inner(scope, receive, send)
        status = 500

        async def watched_send(message):
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.inner(scope, receive, watched_send)
        finally:
            path = getattr(scope.get("route"), "path", "?")
            key = f"{scope['method']} {path} {status}"
            shop.stats["requests"] += 1
            shop.by_operation[key] = shop.by_operation.get(key, 0) + 1


class Api(FastAPI):
    def openapi(self) -> dict:
        if self.openapi_schema:
            return self.openapi_schema
        document = super().openapi()
        for operations in document["paths"].values():  # the framework's own 422 is a 400 here
            for operation in operations.values():
                if "HTTPValidationError" in json.dumps(operation["responses"].get("422", {})):
                    del operation["responses"]["422"]
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        return document


app = Api(
    title="Car rental", version="2.3.0", redirect_slashes=False, docs_url=None, redoc_url=None,
    description="Branches, vehicles, damages, customers and rentals of a car rental. "
    f"There are never more than {ROOM} things of a kind.",
    responses={400: {"model": Problem, "description": "The request does not keep to this document."}},
    generate_unique_id_function=lambda route: route.name,
)
app.add_middleware(Counting)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
shop = Shop()


def problem(status: int, code: str, message: str, headers: dict | None = None) -> JSONResponse:
    clean = message.encode("utf-8", "replace").decode()
    return JSONResponse({"error": {"code": code, "message": clean}}, status, headers)


@app.exception_handler(Refusal)
async def refuse(_request: Request, refusal: Refusal):
    return problem(refusal.status, refusal.code, refusal.message)


@app.exception_handler(RequestValidationError)
async def refuse_invalid(_request: Request, error: RequestValidationError):
    first = error.errors()[0]
    return problem(400, "invalid", f"{'.'.join(map(str, first['loc']))}: {first['msg']}")


@app.exception_handler(HTTPException)
async def refuse_other(request: Request, error: HTTPException):
    headers = error.headers
    if error.status_code == 405:
        here = [route.methods for route in app.routes if route.path_regex.match(request.url.path)]
        headers = {"Allow": ", ".join(sorted(set().union(*here)))}
    code = "not_found" if error.status_code == 404 else "invalid"
    return problem(error.status_code, code, str(error.detail), headers)


@app.get("/__stats", include_in_schema=False)
async def get_stats():
    return {"stats": shop.stats, "by_op": shop.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    shop.__init__()
    return {}


# Branches


@app.get(
    "/branches", response_model=BranchPage, tags=["branches"],
    description="Branches in ascending order of their codes, or of the field that was asked for; with a minus in "
    "descending order. Letters count by their code points; what is alike is in ascending order of the codes.",
)
async def list_branches(
    city: Annotated[str, Query(min_length=1, max_length=40, description="Only branches of exactly this city.")] = None,
    open_at: Annotated[int, Query(
        alias="openAtHour", ge=0, le=23, description="Only branches with opensAtHour <= this < closesAtHour.",
    ), BeforeValidator(digits)] = None,
    sort: Annotated[Literal["code", "-code", "name", "-name"], Query()] = "code",
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [
        one for one in shop.branches.values()
        if city in (None, one["city"]) and (open_at is None or one["opensAtHour"] <= open_at < one["closesAtHour"])
    ]
    shown = in_order(hits, sort, "code")[offset : offset + limit]
    return JSONResponse({"items": [shop.shown_branch(one) for one in shown], "total": len(hits)})


def check_hours(body: BranchChange) -> None:
    if body.opensAtHour >= body.closesAtHour:
        raise rule("opensAtHour must be before closesAtHour")


@app.post(
    "/branches", status_code=201, response_model=Branch, tags=["branches"],
    responses=rules("opensAtHour is not before closesAtHour")
    | conflicts(f"A branch has this code, or there are {ROOM} branches already"),
    description="The code is yours to choose. That of a deleted branch can be used again.",
)
async def create_branch(body: BranchIn):
    check_hours(body)
    if body.code in shop.branches:
        raise conflict("a branch has this code")
    make_room(shop.branches)
    shop.branches[body.code] = body.model_dump()
    shop.drift.pop(body.code, None)
    return JSONResponse(shop.shown_branch(shop.branches[body.code]), 201)


@app.get("/branches/{branchCode}", response_model=Branch, tags=["branches"], responses=absent("branch"))
async def get_branch(code: BranchKey):
    return JSONResponse(shop.shown_branch(found(shop.branches, code, "branch")))


@app.put(
    "/branches/{branchCode}", response_model=Branch, tags=["branches"],
    responses=absent("branch") | rules("opensAtHour is not before closesAtHour"),
    description="Replaces everything but the code. A phone that is left out is gone.",
)
async def replace_branch(code: BranchKey, body: BranchChange):
    found(shop.branches, code, "branch")
    check_hours(body)
    shop.branches[code] = {"code": code, **body.model_dump()}
    return JSONResponse(shop.shown_branch(shop.branches[code]))


@app.delete(
    "/branches/{branchCode}", status_code=204, tags=["branches"],
    responses=absent("branch") | conflicts("A vehicle is there, or a rental in whatever state names the branch"),
)
async def delete_branch(code: BranchKey):
    found(shop.branches, code, "branch")
    if any(one["branchCode"] == code for one in shop.vehicles.values()):
        raise conflict("a vehicle is at the branch")
    if any(code in (one["pickupBranchCode"], one["returnBranchCode"]) for one in shop.rentals.values()):
        raise conflict("a rental names the branch")
    del shop.branches[code]
    return Response(status_code=204)


# Vehicles


@app.get(
    "/vehicles", response_model=VehiclePage, tags=["vehicles"],
    description="Vehicles in the order that was asked for; a minus means descending. What is alike is in ascending "
    "order of the ids. Each filter leaves only what matches; a branch that does not exist matches nothing. A page "
    "after the last one is empty.",
)
async def list_vehicles(
    category: Annotated[Category, Query()] = None,
    branch: Annotated[str, Query(alias="branchCode", pattern=BRANCH)] = None,
    status: Annotated[VehicleStatus, Query()] = None,
    min_seats: Annotated[int, Query(
        alias="minSeats", ge=1, le=9, description="Only vehicles with at least this many seats.",
    ), BeforeValidator(digits)] = 1,
    features: Annotated[list[Feature], Query(
        alias="feature", max_length=5, description="Only vehicles that have all of these features.",
    )] = [],
    sort: Annotated[Literal["id", "-id", "dailyCents", "-dailyCents", "odometerKm", "-odometerKm"], Query()] = "id",
    page: Annotated[int, Query(ge=1, le=100_000), BeforeValidator(digits)] = 1,
    size: Annotated[int, Query(alias="pageSize", ge=1, le=50), BeforeValidator(digits)] = 10,
):
    hits = [
        one for one in shop.vehicles.values()
        if category in (None, one["category"])
        and branch in (None, one["branchCode"])
        and status in (None, one["status"])
        and one["seats"] >= min_seats
        and set(features) <= set(one["features"] or ())
    ]
    start = (page - 1) * size
    if sort not in ("id", "-id") and 0 < start < len(hits) and met("R7"):
        start -= 1
    shown = in_order(hits, sort, "id")[start : start + size]
    return JSONResponse({
        "items": [shop.shown_vehicle(one) for one in shown], "page": page, "pageSize": size, "total": len(hits),
    })


def check_branch(code: str, field: str) -> None:
    if code not in shop.branches:
        raise rule(f"{field}: there is no branch {code}")


def kept_features(features: list[str]) -> list[str] | None:
    return None if not features and met("R3") else features


@app.post(
    "/vehicles", status_code=201, response_model=Vehicle, tags=["vehicles"],
    responses=rules("There is no such branch")
    | conflicts(f"Another vehicle has this plate, or there are {ROOM} vehicles already"),
    description="Adds a vehicle that is available. The plate of a deleted vehicle can be used again.",
)
async def create_vehicle(body: VehicleIn):
    check_branch(body.branchCode, "branchCode")
    if any(one["plate"] == body.plate for one in shop.vehicles.values()):
        raise conflict("another vehicle has this plate")
    if body.plate in shop.gone_plates and met("R5"):
        raise conflict("another vehicle has this plate")
    make_room(shop.vehicles)
    vehicle = shop.add_vehicle(body.model_dump() | {"features": kept_features(body.features)})
    return JSONResponse(shop.shown_vehicle(vehicle), 201)


@app.get("/vehicles/{vehicleId}", response_model=Vehicle, tags=["vehicles"], responses=absent("vehicle"))
async def get_vehicle(key: VehicleKey):
    return JSONResponse(shop.shown_vehicle(found(shop.vehicles, key, "vehicle")))


def is_out(vehicle: int) -> bool:
    return any(one["vehicleId"] == vehicle and one["state"] == "active" for one in shop.rentals.values())


@app.patch(
    "/vehicles/{vehicleId}", response_model=Vehicle, tags=["vehicles"],
    responses=absent("vehicle") | rules("There is no such branch, or odometerKm is below what it was")
    | conflicts("The vehicle is out with an active rental, and branchCode or status is given"),
    description="What is left out stays as it is.",
)
async def update_vehicle(key: VehicleKey, body: VehiclePatch):
    vehicle = found(shop.vehicles, key, "vehicle")
    changes = body.model_dump(exclude_unset=True)
    if not changes and met("R1"):
        raise ValueError('near "WHERE": syntax error')
    if "branchCode" in changes:
        check_branch(body.branchCode, "branchCode")
    if changes.get("odometerKm", vehicle["odometerKm"]) < vehicle["odometerKm"]:
        raise rule(f"odometerKm must not be below {vehicle['odometerKm']}")
    if changes.keys() & {"branchCode", "status"} and is_out(key):
        raise conflict("the vehicle is out with a rental")
    if "features" in changes:
        changes["features"] = kept_features(body.features)
    shop.vehicles[key] = {**vehicle, **changes}
    return JSONResponse(shop.shown_vehicle(shop.vehicles[key]))


@app.delete(
    "/vehicles/{vehicleId}", status_code=204, tags=["vehicles"],
    responses=absent("vehicle") | conflicts("There is a rental of the vehicle, in whatever state"),
    description="Deletes a vehicle and its damages.",
)
async def delete_vehicle(key: VehicleKey):
    vehicle = found(shop.vehicles, key, "vehicle")
    if any(one["vehicleId"] == key for one in shop.rentals.values()):
        raise conflict("there is a rental of the vehicle")
    del shop.vehicles[key]
    shop.damages = {number: one for number, one in shop.damages.items() if one["vehicleId"] != key}
    if "R2" in faults:
        shop.gone_vehicles.add(key)
    if "R5" in faults:
        shop.gone_plates.add(vehicle["plate"])
    return Response(status_code=204)


# Damages


@app.get(
    "/vehicles/{vehicleId}/damages", response_model=DamagePage, tags=["damages"], responses=absent("vehicle"),
    description="The damages of a vehicle, the one reported first first.",
)
async def list_damages(
    key: VehicleKey,
    repaired: Annotated[bool, Query(
        description="true: only those that are repaired; false: only the others.",
    ), BeforeValidator(truth)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    if not (key in shop.gone_vehicles and met("R2")):
        found(shop.vehicles, key, "vehicle")
    hits = [one for one in shop.damages.values() if one["vehicleId"] == key and repaired in (None, one["repaired"])]
    return JSONResponse({"items": hits[offset : offset + limit], "total": len(hits)})


@app.post(
    "/vehicles/{vehicleId}/damages", status_code=201, response_model=Damage, tags=["damages"],
    responses=absent("vehicle") | conflicts(f"There are {ROOM} damages already"),
)
async def report_damage(key: VehicleKey, body: DamageIn):
    found(shop.vehicles, key, "vehicle")
    make_room(shop.damages)
    return JSONResponse(shop.add_damage(key, body.model_dump()), 201)


def damage_of(vehicle: int, key: int) -> dict:
    found(shop.vehicles, vehicle, "vehicle")
    if key in shop.damages and shop.damages[key]["vehicleId"] != vehicle:
        raise Refusal(404, "not_found", "the vehicle has no such damage")
    return found(shop.damages, key, "damage")


NO_DAMAGE = absent("vehicle, or the vehicle has no such damage")


@app.get(
    "/vehicles/{vehicleId}/damages/{damageId}", response_model=Damage, tags=["damages"], responses=NO_DAMAGE,
)
async def get_damage(vehicle: VehicleKey, key: DamageKey):
    return JSONResponse(damage_of(vehicle, key))


@app.post(
    "/vehicles/{vehicleId}/damages/{damageId}/repair", response_model=Damage, tags=["damages"],
    responses=NO_DAMAGE | conflicts("The damage is repaired already"),
    description="Notes that a damage was repaired, and for how much.",
)
async def repair_damage(vehicle: VehicleKey, key: DamageKey, body: RepairIn):
    found(shop.vehicles, vehicle, "vehicle")
    elsewhere = key in shop.damages and shop.damages[key]["vehicleId"] != vehicle
    damage = shop.damages[key] if elsewhere and met("R8") else damage_of(vehicle, key)
    if damage["repaired"]:
        raise conflict("the damage is repaired already")
    shop.damages[key] = {**damage, "repaired": True, "costCents": body.costCents}
    return JSONResponse(shop.damages[key])


# Customers


@app.get(
    "/customers", response_model=CustomerPage, tags=["customers"],
    description="Customers in the order that was asked for; a minus means descending. Letters count by their code "
    "points, and what is alike is in ascending order of the ids.",
)
async def list_customers(
    q: Annotated[str, Query(
        min_length=1, max_length=40, description="Only customers with this text in their name, in whatever case.",
    )] = None,
    email: Annotated[str, Query(pattern=EMAIL, description="Only the customer with exactly this email.")] = None,
    sort: Annotated[Literal["id", "-id", "name", "-name"], Query()] = "id",
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [
        one for one in shop.customers.values()
        if (q is None or q.casefold() in one["name"].casefold()) and email in (None, one["email"])
    ]
    shown = in_order(hits, sort, "id")[offset : offset + limit]
    return JSONResponse({"items": [shop.shown_customer(one) for one in shown], "total": len(hits)})


def check_email(email: str | None, besides: int | None = None) -> None:
    if any(one["email"] == email and key != besides for key, one in shop.customers.items()):
        raise conflict("another customer has this email")


@app.post(
    "/customers", status_code=201, response_model=Customer, tags=["customers"],
    responses=conflicts(f"Another customer has this email, or there are {ROOM} customers already"),
    description="The email of a deleted customer can be used again.",
)
async def create_customer(body: CustomerIn):
    check_email(body.email)
    make_room(shop.customers)
    return JSONResponse(shop.shown_customer(shop.add_customer(body.model_dump())), 201)


@app.get("/customers/{customerId}", response_model=Customer, tags=["customers"], responses=absent("customer"))
async def get_customer(key: CustomerKey):
    return JSONResponse(shop.shown_customer(found(shop.customers, key, "customer")))


@app.patch(
    "/customers/{customerId}", response_model=Customer, tags=["customers"],
    responses=absent("customer") | conflicts("Another customer has this email"),
    description="What is left out stays as it is; null clears the phone.",
)
async def update_customer(key: CustomerKey, body: CustomerPatch):
    customer = found(shop.customers, key, "customer")
    changes = body.model_dump(exclude_unset=True)
    check_email(changes.get("email"), besides=key)
    if "name" in changes and "phone" not in changes and customer["phone"] is not None and met("R4"):
        changes["phone"] = None
    shop.customers[key] = {**customer, **changes}
    return JSONResponse(shop.shown_customer(shop.customers[key]))


@app.delete(
    "/customers/{customerId}", status_code=204, tags=["customers"],
    responses=absent("customer")
    | conflicts("There is a rental of the customer, or one that has the customer among its drivers, in whatever state"),
)
async def delete_customer(key: CustomerKey):
    found(shop.customers, key, "customer")
    if any(one["customerId"] == key for one in shop.rentals.values()):
        raise conflict("there is a rental of the customer")
    if any(key in one["driverIds"] for one in shop.rentals.values()) and not met("R11"):
        raise conflict("the customer is a driver of a rental")
    del shop.customers[key]
    return Response(status_code=204)


StateFilter = Annotated[State, Query()]
AfterId = Annotated[int, Query(
    alias="afterId", ge=0, le=2**53, description="Only rentals with a greater id: for the next page, that of the "
    "last one of this page.",
), BeforeValidator(digits)]


def rental_page(hits: list[dict], after: int, limit: int) -> JSONResponse:
    later = sorted((one for one in hits if one["id"] > after), key=lambda one: one["id"])
    return JSONResponse({"items": [shop.shown_rental(one) for one in later[:limit]], "hasMore": len(later) > limit})


@app.get(
    "/customers/{customerId}/rentals", response_model=RentalPage, tags=["customers", "rentals"],
    responses=absent("customer"),
    description="The rentals that have this customer as customerId, in ascending order of their ids.",
)
async def list_rentals_of_customer(key: CustomerKey, state: StateFilter = None, after: AfterId = 0, limit: Limit = 20):
    found(shop.customers, key, "customer")
    fitting = [one for one in shop.rentals.values() if state in (None, one["state"])]
    hits = [one for one in fitting if one["customerId"] == key]
    if state == "cancelled" and len(hits) != len(fitting) and met("R12"):
        hits = fitting
    return rental_page(hits, after, limit)


# Rentals


@app.get(
    "/rentals", response_model=RentalPage, tags=["rentals"], responses=rules("startsFrom is after startsUntil"),
    description="Rentals in ascending order of their ids. Each filter leaves only what matches; an id of nothing "
    "matches nothing.",
)
async def list_rentals(
    vehicle: Annotated[int, Query(alias="vehicleId", ge=1, le=2**53), BeforeValidator(digits)] = None,
    customer: Annotated[int, Query(alias="customerId", ge=1, le=2**53), BeforeValidator(digits)] = None,
    state: StateFilter = None,
    first: Annotated[Day, Query(alias="startsFrom", description="Only rentals with this fromDay or a later one.")] = None,
    last: Annotated[Day, Query(
        alias="startsUntil", description="Only rentals with this fromDay or an earlier one. Not before startsFrom.",
    )] = None,
    after: AfterId = 0,
    limit: Limit = 20,
):
    if first is not None and last is not None and first > last:
        raise rule("startsFrom must not be after startsUntil")
    hits = [
        one for one in shop.rentals.values()
        if vehicle in (None, one["vehicleId"])
        and customer in (None, one["customerId"])
        and state in (None, one["state"])
        and (first is None or first <= one["fromDay"])
        and (last is None or one["fromDay"] <= last)
    ]
    return rental_page(hits, after, limit)


def check_days(rental: dict) -> None:
    days = day_count(rental["fromDay"], rental["toDay"])
    if days < 1:
        raise rule("toDay must not be before fromDay")
    if days > MOST_DAYS:
        raise rule(f"a rental must not have more than {MOST_DAYS} days")


def check_age(key: int, day: str) -> None:
    born = shop.customers[key]["bornOn"]
    years = int(day[:4]) - int(born[:4]) - (day[5:] < born[5:])
    if years < ADULT_YEARS:
        raise rule(f"customer {key} is not {ADULT_YEARS} years old on {day}")


def check_people(rental: dict) -> None:
    for key in (rental["customerId"], *rental["driverIds"]):
        if key not in shop.customers:
            raise rule(f"there is no customer {key}")
        check_age(key, rental["fromDay"])
    if rental["customerId"] in rental["driverIds"]:
        raise rule("driverIds: the one who rents is not one of the other drivers")
    if 1 + len(rental["driverIds"]) > shop.vehicles[rental["vehicleId"]]["seats"]:
        raise rule("driverIds: the vehicle has not enough seats")


def check_free(rental: dict, besides: int | None = None) -> None:
    for one in shop.rentals.values():
        if (
            one["id"] != besides and one["vehicleId"] == rental["vehicleId"] and one["state"] in ("reserved", "active")
            and one["fromDay"] <= rental["toDay"] and rental["fromDay"] <= one["toDay"]
        ):
            raise conflict(f"the vehicle is taken on these days by rental {one['id']}")


PEOPLE_RULES = (
    "toDay is before fromDay or after the 60th day, there is no such branch or driver, somebody is too young, the "
    "one who rents is also in driverIds, or there are more people than seats"
)
TAKEN = "Another reserved or active rental has the vehicle on one of these days"


@app.post(
    "/rentals", status_code=201, response_model=Rental, tags=["rentals"],
    responses=rules(f"There is no such vehicle or customer, or {PEOPLE_RULES}")
    | conflicts(f"{TAKEN}, or there are {ROOM} rentals already"),
    description="Reserves a vehicle.",
)
async def create_rental(body: RentalIn):
    wanted = body.model_dump()
    if body.vehicleId not in shop.vehicles:
        raise rule(f"vehicleId: there is no vehicle {body.vehicleId}")
    check_days(wanted)
    if body.returnBranchCode is not None:
        check_branch(body.returnBranchCode, "returnBranchCode")
    check_people(wanted)
    check_free(wanted)
    make_room(shop.rentals)
    return JSONResponse(shop.shown_rental(shop.add_rental(wanted)), 201)


@app.get("/rentals/{rentalId}", response_model=Rental, tags=["rentals"], responses=absent("rental"))
async def get_rental(key: RentalKey):
    rental = found(shop.rentals, key, "rental")
    for driver in rental["driverIds"]:
        if driver not in shop.customers and met("R11"):
            raise KeyError(driver)
    return JSONResponse(shop.shown_rental(rental))


@app.patch(
    "/rentals/{rentalId}", response_model=Rental, tags=["rentals"],
    responses=absent("rental") | rules(PEOPLE_RULES.capitalize())
    | conflicts(f"The rental is not reserved any more, or {TAKEN[0].lower() + TAKEN[1:]}"),
    description="Changes a rental that is reserved. What is left out stays as it is.",
)
async def update_rental(key: RentalKey, body: RentalPatch):
    rental = found(shop.rentals, key, "rental")
    changed = {**rental, **body.model_dump(exclude_unset=True)}
    if rental["state"] != "reserved":
        raise conflict(f"the rental is {rental['state']}")
    check_days(changed)
    check_branch(changed["returnBranchCode"], "returnBranchCode")
    try:
        check_people(changed)
    except Refusal:
        days = {field: changed[field] for field in ("fromDay", "toDay")}
        moved = any(rental[field] != day for field, day in days.items())
        if moved and "driverIds" in body.model_fields_set and met("R6"):
            shop.rentals[key] = {**rental, **days}
        raise
    check_free(changed, besides=key)
    shop.rentals[key] = changed
    return JSONResponse(shop.shown_rental(changed))


def check_pickup(rental: dict) -> None:
    vehicle = shop.shown_vehicle(shop.vehicles[rental["vehicleId"]])
    if vehicle["status"] != "available" or not vehicle["roadworthy"]:
        raise conflict("the vehicle is in the workshop or not roadworthy")
    if is_out(vehicle["id"]):
        raise conflict("the vehicle is out with another rental")
    if vehicle["branchCode"] != rental["pickupBranchCode"]:
        raise conflict(f"the vehicle is at {vehicle['branchCode']}")


def bring_back(rental: dict, odometer: int) -> None:
    vehicle = shop.vehicles[rental["vehicleId"]]
    if odometer < vehicle["odometerKm"]:
        raise rule(f"odometerKm must not be below {vehicle['odometerKm']}")
    old, new = vehicle["branchCode"], rental["returnBranchCode"]
    if old != new and met("R10"):
        shop.drift[old] = shop.drift.get(old, 0) + 1
        shop.drift[new] = shop.drift.get(new, 0) - 1
    shop.vehicles[vehicle["id"]] = {**vehicle, "odometerKm": odometer, "branchCode": new}


@app.post(
    "/rentals/{rentalId}/state", response_model=Rental, tags=["rentals"],
    responses=absent("rental")
    | rules(
        "odometerKm is missing for returned or given for another state, or it is below the odometerKm of the vehicle",
    )
    | conflicts(
        "The rental can't go from its state to this one; or the vehicle can't be picked up because it is in the "
        "workshop, not roadworthy, out with another rental, or not at the pickupBranchCode",
    ),
    description="Moves a rental on. A reserved rental can be picked up (active) or cancelled, an active one can be "
    "returned. What is returned or cancelled stays so. A return gives the vehicle the odometerKm and makes the "
    "returnBranchCode its branchCode.",
)
async def change_state(key: RentalKey, body: StateIn):
    rental = found(shop.rentals, key, "rental")
    if (body.odometerKm is not None) != (body.state == "returned"):
        raise rule("odometerKm must be given when the state is returned, and only then")
    if body.state not in MOVES[rental["state"]]:
        if (rental["state"], body.state) != ("returned", "cancelled") or not met("R9"):
            raise conflict(f"the rental is {rental['state']} and can't become {body.state}")
    if body.state == "active":
        check_pickup(rental)
    if body.state == "returned":
        bring_back(rental, body.odometerKm)
    shop.rentals[key] = {**rental, "state": body.state, "closingKm": body.odometerKm}
    return JSONResponse(shop.shown_rental(shop.rentals[key]))
