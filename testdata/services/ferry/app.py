"""A ferry line in memory: ships sail between ports, sailings are opened for booking, closed and sent off,
bookings carry passengers and perhaps a vehicle, and tickets are issued for the passengers of a booking.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `F1,F3`.

    F1   POST, PATCH /ships             500 for a ship commissioned on a 29th of February
    F2   DELETE /ports/{code}           500 after a sailing that called at the port was deleted
    F3   POST, PUT bookings             priceCents is no integer when half fares leave half a cent
    F4   GET /ports                     a deleted port stays in the list of its country
    F5   PATCH /ships/{id}              null does not clear callSign or commissionedOn
    F6   POST /tickets                  refused, but the passengers before the bad one have tickets
    F7   GET /sailings                  pageCount is one too many when the last page is full
    F8   GET bookings                   withVehicle=false is ignored
    F9   DELETE booking                 deletes a booking of another sailing
    F10  PUT booking                    accepted though the sailing is not open
    F11  POST /sailings/{id}/status     reopening a closed sailing is echoed, but not kept
    F12  GET /ports                     slow when q has more than 40 characters

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset brings back the
start, which is not empty. Handlers have no docstrings, because these would end up in the document. They
never wait between looking and writing, so that requests can't come in between each other.
"""

import asyncio
import calendar
import itertools
import json
import os
import re
import uuid
from collections import defaultdict
from typing import Annotated, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException

FAULTS = tuple(f"F{number}" for number in range(1, 13))
ROOM = 20_000  # a long run must not eat the machine
SURVEY_YEARS = 5
SLOW_SECONDS = 1.2
MOVES = {
    "draft": ("open", "cancelled"),
    "open": ("closed", "cancelled"),
    "closed": ("open", "departed", "cancelled"),
    "departed": (),
    "cancelled": (),
}


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    strange = set(named) - set(FAULTS)
    if strange:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(strange))}")
    return frozenset(named)


class Line:
    """Everything the ferry line remembers."""

    def __init__(self) -> None:
        self.ship_numbers = itertools.count(1)
        self.sailing_numbers = itertools.count(1)
        self.ticket_numbers = itertools.count(1)
        self.ports: dict[str, dict] = {}
        self.ports_of: dict[str, dict[str, dict]] = defaultdict(dict)  # by country, then by code
        self.ships: dict[int, dict] = {}
        self.sailings: dict[int, dict] = {}
        self.callers: dict[str, set[int]] = defaultdict(set)  # by port, the sailings that call there
        self.bookings: dict[str, dict] = {}
        self.bookings_of: dict[int, dict[str, dict]] = defaultdict(dict)  # by sailing, then by booking
        self.tickets: dict[tuple[str, int], dict] = {}  # by booking and number of the passenger
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.seed()

    def seed(self) -> None:
        for port in SEED_PORTS:
            self.add_port(dict(zip(("code", "name", "country", "berths"), port)))
        for name, call_sign, places, metres, day in SEED_SHIPS:
            self.add_ship({
                "name": name, "callSign": call_sign, "passengerCapacity": places, "laneMetres": metres,
                "commissionedOn": day, "nextSurveyOn": next_survey(day),
            })
        for ship, codes, departs, arrives, fare, metre, status in SEED_SAILINGS:
            self.add_sailing({
                "shipId": ship, "calls": [{"portCode": code, "stayMinutes": 30} for code in codes],
                "departsOn": departs, "arrivesOn": arrives, "fareCents": fare, "laneMetreCents": metre,
                "status": status, "cancelReason": "Storm" if status == "cancelled" else None,
            })
        for key, sailing, people, vehicle in SEED_BOOKINGS:
            passengers = [{"name": name, "kind": kind} for name, kind in people]
            self.put_booking(key, self.sailings[sailing], passengers, vehicle)
        for booking, number in SEED_TICKETS:
            self.add_ticket(self.bookings[booking], number)

    def add_port(self, port: dict) -> dict:
        self.ports[port["code"]] = port
        self.ports_of[port["country"]][port["code"]] = port
        return port

    def remove_port(self, port: dict) -> None:
        del self.ports[port["code"]]
        if "F4" not in faults:
            del self.ports_of[port["country"]][port["code"]]

    def add_ship(self, ship: dict) -> dict:
        number = next(self.ship_numbers)
        self.ships[number] = {"id": number, **ship}
        return self.ships[number]

    def add_sailing(self, sailing: dict) -> dict:
        number = next(self.sailing_numbers)
        self.sailings[number] = {"id": number, **sailing}
        for call in sailing["calls"]:
            self.callers[call["portCode"]].add(number)
        return self.sailings[number]

    def remove_sailing(self, sailing: dict) -> None:
        del self.sailings[sailing["id"]]
        if "F2" not in faults:
            for call in sailing["calls"]:
                self.callers[call["portCode"]].discard(sailing["id"])

    def put_booking(self, key: str, sailing: dict, passengers: list[dict], vehicle: dict | None) -> dict:
        booking = {
            "id": key, "sailingId": sailing["id"], "passengers": passengers, "vehicle": vehicle,
            "priceCents": price(sailing, passengers, vehicle),
        }
        self.bookings[key] = booking
        self.bookings_of[sailing["id"]][key] = booking
        return booking

    def remove_booking(self, booking: dict) -> None:
        for ticket in self.tickets_of(booking):
            del self.tickets[booking["id"], ticket["passengerNumber"]]
        del self.bookings[booking["id"]]
        del self.bookings_of[booking["sailingId"]][booking["id"]]

    def add_ticket(self, booking: dict, number: int) -> dict:
        ticket = {
            "number": f"T-{next(self.ticket_numbers):06}", "bookingId": booking["id"],
            "sailingId": booking["sailingId"], "passengerNumber": number,
            "passengerName": booking["passengers"][number - 1]["name"],
        }
        self.tickets[booking["id"], number] = ticket
        return ticket

    def tickets_of(self, booking: dict) -> list[dict]:
        keys = ((booking["id"], number) for number in range(1, len(booking["passengers"]) + 1))
        return [self.tickets[key] for key in keys if key in self.tickets]

    def taken(self, sailing: dict, besides: str | None = None) -> tuple[int, int]:
        """The places and lane metres that are booked on a sailing."""
        booked = [one for one in self.bookings_of[sailing["id"]].values() if one["id"] != besides]
        return sum(len(one["passengers"]) for one in booked), sum(metres(one["vehicle"]) for one in booked)

    def shown_sailing(self, sailing: dict) -> dict:
        ship = self.ships[sailing["shipId"]]
        places, lane = self.taken(sailing)
        return {
            **sailing, "bookingCount": len(self.bookings_of[sailing["id"]]),
            "freePlaces": ship["passengerCapacity"] - places, "freeLaneMetres": ship["laneMetres"] - lane,
        }

    def shown_booking(self, booking: dict) -> dict:
        return {**booking, "ticketCount": len(self.tickets_of(booking))}


def met(fault: str) -> bool:
    """Whether a fault is there to be met at a place that asks for it; counts that it was."""
    if fault not in faults:
        return False
    line.stats[fault] += 1
    return True


def next_survey(day: str | None) -> str | None:
    if day is None:
        return None
    year, rest = int(day[:4]) + SURVEY_YEARS, day[4:]
    if rest == "-02-29":
        if met("F1"):
            raise ValueError("day is out of range for month")
        rest = "-02-28"
    return f"{year}{rest}"


def metres(vehicle: dict | None) -> int:
    return vehicle["lengthMetres"] if vehicle else 0


def price(sailing: dict, passengers: list[dict], vehicle: dict | None) -> int | float:
    children = sum(one["kind"] == "child" for one in passengers)
    fares = (len(passengers) - children) * sailing["fareCents"]
    halves = children * sailing["fareCents"]
    half = halves / 2 if halves % 2 and met("F3") else halves // 2
    return fares + half + metres(vehicle) * sailing["laneMetreCents"]


def found(shelf: dict, key: object, what: str) -> dict:
    if key not in shelf:
        raise HTTPException(404, f"there is no such {what}")
    return shelf[key]


def refuse(why: str) -> None:
    raise HTTPException(409, why)


def invalid(why: str) -> None:
    raise HTTPException(422, why)


def make_room(shelf: dict, wanted: int = 1) -> None:
    if len(shelf) + wanted > ROOM:
        refuse(f"there are {ROOM} already")


def page_of(hits: list[dict], limit: int, offset: int) -> list[dict]:
    return hits[offset : offset + limit]


def sort_by(things: list[dict], order: str, tie: str) -> list[dict]:
    """Sorts by a field; a minus turns its order around. Ties are always in ascending order."""
    things = sorted(things, key=lambda one: one[tie])
    return sorted(things, key=lambda one: one[order.lstrip("-")], reverse=order.startswith("-"))


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digits(value: object) -> object:
    # pydantic would also take " 7", "+7" and "1_0".
    if isinstance(value, str) and not re.fullmatch(r"-?[0-9]+(\.0+)?", value):
        raise ValueError("must be an integer")
    return value


def truth(value: object) -> object:
    # pydantic would also take "yes", "on", "1" and so on.
    if isinstance(value, str) and value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value


def calendar_day(text: str) -> str:
    parts = re.fullmatch(r"([0-9]{4})-(0[1-9]|1[0-2])-([0-9]{2})", text)
    if parts is None:
        raise ValueError("must be a day like 2031-05-09")
    year, month, day = map(int, parts.groups())
    if not 1 <= day <= calendar.monthrange(year or 4, month)[1]:  # the year 0 was a leap year, too
        raise ValueError("there is no such day")
    return text


def service_day(text: str) -> str:
    if not "1950-01-01" <= text <= "2099-12-31":
        raise ValueError("must be from 1950-01-01 to 2099-12-31")
    return text


def distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError("nothing may be there twice")
    return values


UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
IS_UUID = {"format": "uuid"}
IS_DAY = {"format": "date"}
PORT = r"^[A-Z]{3}$"

# The bounds go before the validator, or they miss the document.
Number = Annotated[int, Field(ge=1, le=2**53), BeforeValidator(whole)]
Count = Annotated[int, Field(ge=0), BeforeValidator(whole)]
Uuid = Annotated[str, Field(pattern=UUID, json_schema_extra=IS_UUID)]
Day = Annotated[str, Field(json_schema_extra=IS_DAY), AfterValidator(calendar_day)]
ServiceDay = Annotated[Day, AfterValidator(service_day)]
PortCode = Annotated[str, Field(pattern=PORT, examples=["KEL"])]
PortName = Annotated[str, Field(min_length=1, max_length=60)]
Country = Literal["DE", "DK", "FI", "NO", "SE"]
Berths = Annotated[int, Field(ge=1, le=20), BeforeValidator(whole)]
ShipName = Annotated[str, Field(min_length=1, max_length=40, description="No two ships have the same name.")]
CallSign = Annotated[str, Field(pattern=r"^[A-Z]{4}$")]
Capacity = Annotated[int, Field(ge=1, le=3000), BeforeValidator(whole)]
LaneMetres = Annotated[int, Field(ge=0, le=4000), BeforeValidator(whole)]
Stay = Annotated[int, Field(ge=0, le=240), BeforeValidator(whole)]
Fare = Annotated[int, Field(ge=0, le=100_000), BeforeValidator(whole)]
MetreFare = Annotated[int, Field(ge=0, le=10_000), BeforeValidator(whole)]
Length = Annotated[int, Field(ge=1, le=25), BeforeValidator(whole)]
Reason = Annotated[str, Field(min_length=1, max_length=200)]
PassengerNumber = Annotated[int, Field(ge=1, le=9), BeforeValidator(whole)]
TicketNumber = Annotated[str, Field(pattern=r"^T-[0-9]{6,9}$")]
Status = Literal["draft", "open", "closed", "departed", "cancelled"]

PortKey = Annotated[str, Path(alias="portCode", pattern=PORT)]
ShipKey = Annotated[int, Path(alias="shipId", ge=1, le=2**53), BeforeValidator(digits)]
SailingKey = Annotated[int, Path(alias="sailingId", ge=1, le=2**53), BeforeValidator(digits)]
BookingKey = Annotated[str, Path(alias="bookingId", pattern=UUID, json_schema_extra=IS_UUID)]
Limit = Annotated[int, Query(ge=1, le=100), BeforeValidator(digits)]
Offset = Annotated[int, Query(ge=0, le=100_000), BeforeValidator(digits)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Port(Strict):
    code: PortCode
    name: PortName
    country: Country
    berths: Berths


class ShipIn(Strict):
    name: ShipName
    callSign: CallSign | None = None
    passengerCapacity: Capacity
    laneMetres: LaneMetres = Field(default=0, description="Room for vehicles.")
    commissionedOn: ServiceDay | None = Field(default=None, description="From 1950-01-01 to 2099-12-31.")


# A factory keeps the default out of the document; what was left out is never looked at.
class ShipPatch(Strict):
    name: ShipName = Field(default_factory=str)
    callSign: CallSign | None = Field(default_factory=lambda: None)
    passengerCapacity: Capacity = Field(default_factory=int)
    laneMetres: LaneMetres = Field(default_factory=int)
    commissionedOn: ServiceDay | None = Field(
        default_factory=lambda: None, description="From 1950-01-01 to 2099-12-31.",
    )


class Ship(Strict):
    id: Number
    name: ShipName
    callSign: CallSign | None
    passengerCapacity: Capacity
    laneMetres: LaneMetres
    commissionedOn: Day | None
    nextSurveyOn: Day | None = Field(
        description="Five years after commissionedOn; the 28th of February when that was a 29th. "
        "Null without commissionedOn.",
    )


class Call(Strict):
    portCode: PortCode
    stayMinutes: Stay


class SailingIn(Strict):
    shipId: Number
    calls: list[Call] = Field(
        min_length=2, max_length=6,
        description="The ports in the order of the calls. Two calls in a row are never at the same port.",
    )
    departsOn: Day
    arrivesOn: Day = Field(description="Not before departsOn.")
    fareCents: Fare = Field(description="What an adult pays. A child pays half.")
    laneMetreCents: MetreFare = Field(default=0, description="What a metre of a vehicle costs.")


class Sailing(SailingIn):
    id: Number
    laneMetreCents: MetreFare
    status: Status
    cancelReason: Reason | None = Field(description="Null unless the sailing is cancelled.")
    bookingCount: Count
    freePlaces: Count = Field(description="The passengerCapacity of the ship less all booked passengers.")
    freeLaneMetres: Count = Field(description="The laneMetres of the ship less all booked vehicles.")


class StatusIn(Strict):
    status: Literal["open", "closed", "departed", "cancelled"]
    reason: Reason | None = Field(
        default=None, description="Must be given when the status is cancelled, and only then.",
    )


class Passenger(Strict):
    name: str = Field(min_length=1, max_length=80)
    kind: Literal["adult", "child"]


class Vehicle(Strict):
    plate: str = Field(pattern=r"^[A-Z0-9-]{2,10}$", description="Unique among the bookings of a sailing.")
    lengthMetres: Length


class BookingIn(Strict):
    passengers: list[Passenger] = Field(
        min_length=1, max_length=9,
        description="With a vehicle, at least one of them is an adult.",
    )
    vehicle: Vehicle | None = None


class Booking(Strict):
    id: Uuid
    sailingId: Number
    passengers: list[Passenger] = Field(min_length=1, max_length=9)
    vehicle: Vehicle | None
    priceCents: Count = Field(
        description="A fareCents for each adult, half of it for each child (half a cent in the sum is "
        "dropped), and the laneMetreCents for each metre of the vehicle.",
    )
    ticketCount: Count = Field(description="How many of its passengers have tickets.")


class TicketsIn(Strict):
    bookingId: Uuid
    passengerNumbers: Annotated[list[PassengerNumber], AfterValidator(distinct)] = Field(
        min_length=1, max_length=9, json_schema_extra={"uniqueItems": True},
        description="Which passengers of the booking get tickets: 1 is the first one.",
    )


class Ticket(Strict):
    number: TicketNumber
    bookingId: Uuid
    sailingId: Number
    passengerNumber: PassengerNumber
    passengerName: str = Field(min_length=1, max_length=80)


class PortPage(Strict):
    items: list[Port]
    total: Count = Field(description="How many ports match, on all pages together.")


class ShipPage(Strict):
    items: list[Ship]
    total: Count = Field(description="How many ships match, on all pages together.")


class SailingPage(Strict):
    items: list[Sailing]
    page: int = Field(ge=1, description="The page that was asked for.")
    pageSize: int = Field(ge=1, le=50, description="The page size that was asked for.")
    pageCount: Count = Field(description="How many pages the matches fill; 0 when nothing matches.")
    total: Count = Field(description="How many sailings match, on all pages together.")


class BookingPage(Strict):
    items: list[Booking]
    total: Count = Field(description="How many bookings of the sailing match, on all pages together.")


class TicketPage(Strict):
    items: list[Ticket]
    total: Count = Field(description="How many tickets match, on all pages together.")


class Problem(Strict):
    detail: str = Field(description="What is wrong, in plain words.")


SEED_PORTS = (
    ("GOT", "Göteborg", "SE", 6),
    ("KEL", "Kiel", "DE", 4),
    ("OSL", "Oslo", "NO", 3),
    ("ROS", "Rostock", "DE", 5),
    ("TRE", "Trelleborg", "SE", 8),
    ("TUR", "Turku", "FI", 2),
)
SEED_SHIPS = (
    ("Nordlys", "LAXQ", 900, 1800, "2004-06-18"),
    ("Havsfru", None, 350, 600, "1998-03-02"),
    ("Skarven", "SKRV", 12, 30, None),
    ("Ostsee Queen", "DQRT", 1400, 2500, "2019-11-30"),
)
SEED_SAILINGS = (
    (1, ("KEL", "GOT"), "2030-05-01", "2030-05-02", 4550, 900, "departed"),
    (1, ("GOT", "KEL", "OSL"), "2030-05-03", "2030-05-05", 5200, 900, "open"),
    (3, ("TRE", "ROS"), "2030-05-03", "2030-05-03", 1995, 250, "open"),
    (2, ("ROS", "TRE"), "2030-05-10", "2030-05-10", 2600, 450, "closed"),
    (4, ("OSL", "KEL"), "2030-06-01", "2030-06-02", 6100, 1100, "draft"),
    (2, ("TRE", "ROS"), "2030-04-20", "2030-04-20", 2600, 450, "cancelled"),
)
SEED_BOOKINGS = (
    (
        "0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a01", 1,
        (("Ida Holm", "adult"), ("Per Holm", "adult")), {"plate": "KI-AB123", "lengthMetres": 5},
    ),
    (
        "0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a02", 2,
        (("Jan Krüger", "adult"), ("Mia Krüger", "child")), {"plate": "HH-JK77", "lengthMetres": 4},
    ),
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a03", 2, (("Åse Lund", "adult"),), None),
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a04", 3, (("Tom Berg", "adult"),), {"plate": "TRE500", "lengthMetres": 12}),
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a05", 4, (("Eva Sand", "adult"), ("Ole Sand", "adult")), None),
)
SEED_TICKETS = (
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a01", 1),
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a01", 2),
    ("0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a05", 1),
)


def absent(what: str) -> dict:
    return {404: {"model": Problem, "description": f"There is no such {what}."}}


def conflict(why: str) -> dict:
    return {409: {"model": Problem, "description": f"{why}. Nothing is changed."}}


def rules(why: str) -> dict:
    return {422: {"model": Problem, "description": f"The request is not as it has to be, or {why}."}}


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
            line.stats["requests"] += 1
            line.by_operation[key] = line.by_operation.get(key, 0) + 1


app = FastAPI(
    title="Ferry line", version="1.0.0", redirect_slashes=False, docs_url=None, redoc_url=None,
    description="Ports, ships, sailings, bookings and tickets of a ferry line. "
    f"There are never more than {ROOM} things of a kind.",
    responses={422: {"model": Problem, "description": "The request is not as it has to be."}},
    generate_unique_id_function=lambda route: route.name,
)
app.add_middleware(Counting)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
line = Line()


# The text is kept to ASCII, because it may tell of half a surrogate pair.
@app.exception_handler(RequestValidationError)
async def refuse_invalid(_request: Request, error: RequestValidationError):
    first = error.errors()[0]
    detail = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


# A body that can't even be decoded is a 400 to the framework; the document knows only 422. And of a
# path with several methods the framework allows only the first one.
@app.exception_handler(AnyHTTPException)
async def refuse_other(request: Request, error: AnyHTTPException):
    status = 422 if error.status_code == 400 else error.status_code
    headers = error.headers
    if status == 405:
        here = [route.methods for route in app.routes if route.path_regex.match(request.url.path)]
        headers = {"Allow": ", ".join(sorted(set().union(*here)))}
    return JSONResponse({"detail": str(error.detail)}, status, headers)


@app.get("/__stats", include_in_schema=False)
async def get_stats():
    return {"stats": line.stats, "by_op": line.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    line.__init__()
    return {}


@app.get(
    "/ports", response_model=PortPage,
    description="Ports in ascending order of their codes, or of their names when sorted so (letters count "
    "by their code points; ports of the same name are in the order of their codes).",
)
async def list_ports(
    country: Annotated[Country, Query()] = None,
    q: Annotated[str, Query(
        min_length=1, max_length=60, description="Only ports whose name has this text in it, in whatever case.",
    )] = None,
    sort: Annotated[Literal["code", "name"], Query()] = "code",
    limit: Limit = 20,
    offset: Offset = 0,
):
    if q is not None and len(q) > 40 and met("F12"):
        await asyncio.sleep(SLOW_SECONDS)
    hits = line.ports if country is None else line.ports_of[country]
    hits = [one for one in hits.values() if q is None or q.casefold() in one["name"].casefold()]
    if any(one is not line.ports.get(one["code"]) for one in hits):
        met("F4")
    return JSONResponse({
        "items": page_of(sort_by(hits, sort, "code"), limit, offset), "total": len(hits),
    })


@app.post(
    "/ports", status_code=201, response_model=Port,
    responses=conflict(f"A port has this code, or there are {ROOM} ports already"),
    description="The code is yours to choose. That of a deleted port can be used again.",
)
async def create_port(body: Port):
    if body.code in line.ports:
        refuse("a port has this code")
    make_room(line.ports)
    return JSONResponse(line.add_port(body.model_dump()), 201)


@app.get("/ports/{portCode}", response_model=Port, responses=absent("port"))
async def get_port(code: PortKey):
    return JSONResponse(found(line.ports, code, "port"))


@app.delete(
    "/ports/{portCode}", status_code=204,
    responses=absent("port") | conflict("A sailing calls at the port, whatever its status"),
)
async def delete_port(code: PortKey):
    port = found(line.ports, code, "port")
    if any(number not in line.sailings for number in line.callers[code]) and met("F2"):
        raise KeyError(code)
    if line.callers[code]:
        refuse("a sailing calls at the port")
    line.remove_port(port)
    return Response(status_code=204)


def check_ship_name(name: str | None, besides: int | None = None) -> None:
    if any(one["name"] == name and key != besides for key, one in line.ships.items()):
        refuse("another ship has this name")


def check_bookings_fit(ship: dict) -> None:
    for sailing in line.sailings.values():
        if sailing["shipId"] == ship["id"]:
            places, lane = line.taken(sailing)
            if places > ship["passengerCapacity"] or lane > ship["laneMetres"]:
                refuse(f"more than that is booked on sailing {sailing['id']}")


@app.get(
    "/ships", response_model=ShipPage,
    description="Ships in the order that was asked for; a minus means descending. Letters count by their "
    "code points, and ships that are alike in what is sorted by are in ascending order of their ids.",
)
async def list_ships(
    min_passengers: Annotated[int, Query(
        alias="minPassengers", ge=0, le=10_000, description="Only ships with at least this passengerCapacity.",
    ), BeforeValidator(digits)] = 0,
    sort: Annotated[Literal[
        "id", "-id", "name", "-name", "passengerCapacity", "-passengerCapacity",
    ], Query()] = "id",
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [one for one in line.ships.values() if one["passengerCapacity"] >= min_passengers]
    return JSONResponse({
        "items": page_of(sort_by(hits, sort, "id"), limit, offset), "total": len(hits),
    })


@app.post(
    "/ships", status_code=201, response_model=Ship,
    responses=conflict(f"Another ship has this name, or there are {ROOM} ships already"),
)
async def create_ship(body: ShipIn):
    check_ship_name(body.name)
    make_room(line.ships)
    ship = body.model_dump() | {"nextSurveyOn": next_survey(body.commissionedOn)}
    return JSONResponse(line.add_ship(ship), 201)


@app.get("/ships/{shipId}", response_model=Ship, responses=absent("ship"))
async def get_ship(key: ShipKey):
    return JSONResponse(found(line.ships, key, "ship"))


@app.patch(
    "/ships/{shipId}", response_model=Ship,
    responses=absent("ship")
    | conflict("Another ship has this name, or more is booked on one of its sailings than the ship would hold"),
    description="What is left out stays as it is; null clears callSign or commissionedOn.",
)
async def update_ship(key: ShipKey, body: ShipPatch):
    ship = found(line.ships, key, "ship")
    changes = body.model_dump(exclude_unset=True)
    check_ship_name(changes.get("name"), besides=key)
    cleared = [field for field, value in changes.items() if value is None and ship[field] is not None]
    if cleared and met("F5"):
        changes = {field: value for field, value in changes.items() if field not in cleared}
    changed = {**ship, **changes}
    check_bookings_fit(changed)
    if "commissionedOn" in changes:
        changed["nextSurveyOn"] = next_survey(changed["commissionedOn"])
    line.ships[key] = changed
    return JSONResponse(changed)


def page_count(total: int, size: int) -> int:
    if total % size == 0 and met("F7"):
        return total // size + 1
    return -(-total // size)


@app.get(
    "/sailings", response_model=SailingPage,
    responses=rules("departsFrom is after departsUntil"),
    description="Sailings in ascending order of departsOn, or descending with a minus; those of the same day "
    "are in ascending order of their ids. Each filter leaves only what matches, and an id or code that "
    "does not exist matches nothing. A page after the last one is empty.",
)
async def list_sailings(
    status: Annotated[Status, Query()] = None,
    ship: Annotated[int, Query(alias="shipId", ge=1, le=2**53), BeforeValidator(digits)] = None,
    port: Annotated[str, Query(
        alias="portCode", pattern=PORT, description="Only sailings that call at this port.",
    )] = None,
    first: Annotated[Day, Query(
        alias="departsFrom", description="Only sailings that depart on this day or later.",
    )] = None,
    last: Annotated[Day, Query(
        alias="departsUntil", description="Only sailings that depart on this day or earlier. Not before departsFrom.",
    )] = None,
    sort: Annotated[Literal["departsOn", "-departsOn"], Query()] = "departsOn",
    page: Annotated[int, Query(ge=1, le=100_000), BeforeValidator(digits)] = 1,
    size: Annotated[int, Query(alias="pageSize", ge=1, le=50), BeforeValidator(digits)] = 10,
):
    if first is not None and last is not None and first > last:
        invalid("departsFrom is after departsUntil")
    hits = [
        one for one in line.sailings.values()
        if status in (None, one["status"])
        and ship in (None, one["shipId"])
        and (port is None or any(call["portCode"] == port for call in one["calls"]))
        and (first is None or first <= one["departsOn"])
        and (last is None or one["departsOn"] <= last)
    ]
    shown = page_of(sort_by(hits, sort, "id"), size, (page - 1) * size)
    return JSONResponse({
        "items": [line.shown_sailing(one) for one in shown], "page": page, "pageSize": size,
        "pageCount": page_count(len(hits), size), "total": len(hits),
    })


def check_calls(calls: list[Call]) -> None:
    if any(one.portCode == other.portCode for one, other in itertools.pairwise(calls)):
        invalid("calls: two calls in a row are at the same port")
    for call in calls:
        if call.portCode not in line.ports:
            invalid(f"calls: there is no port {call.portCode}")


def check_ship_is_free(ship: int, day: str) -> None:
    for one in line.sailings.values():
        if one["shipId"] == ship and one["departsOn"] == day and one["status"] != "cancelled":
            refuse(f"the ship departs on this day already, as sailing {one['id']}")


@app.post(
    "/sailings", status_code=201, response_model=Sailing,
    responses=rules(
        "arrivesOn is before departsOn, two calls in a row are at the same port, or there is no such ship or port",
    ) | conflict(
        f"The ship has another sailing that departs on this day and is not cancelled, or there are {ROOM} "
        "sailings already",
    ),
    description="Makes a draft.",
)
async def create_sailing(body: SailingIn):
    if body.arrivesOn < body.departsOn:
        invalid("arrivesOn is before departsOn")
    if body.shipId not in line.ships:
        invalid(f"shipId: there is no ship {body.shipId}")
    check_calls(body.calls)
    check_ship_is_free(body.shipId, body.departsOn)
    make_room(line.sailings)
    sailing = line.add_sailing(body.model_dump() | {"status": "draft", "cancelReason": None})
    return JSONResponse(line.shown_sailing(sailing), 201)


@app.get("/sailings/{sailingId}", response_model=Sailing, responses=absent("sailing"))
async def get_sailing(key: SailingKey):
    return JSONResponse(line.shown_sailing(found(line.sailings, key, "sailing")))


@app.delete(
    "/sailings/{sailingId}", status_code=204,
    responses=absent("sailing") | conflict("The sailing is not a draft"),
    description="Only a draft can be deleted.",
)
async def delete_sailing(key: SailingKey):
    sailing = found(line.sailings, key, "sailing")
    if sailing["status"] != "draft":
        refuse("the sailing is not a draft")
    line.remove_sailing(sailing)
    return Response(status_code=204)


@app.post(
    "/sailings/{sailingId}/status", response_model=Sailing,
    responses=absent("sailing")
    | rules("a reason is missing for cancelled or given for another status")
    | conflict("The sailing can't go from its status to this one"),
    description="Moves a sailing on. A draft can be opened, an open sailing closed, a closed one opened again "
    "or sent off (departed). Each of these three can be cancelled. What is departed or cancelled stays so.",
)
async def change_status(key: SailingKey, body: StatusIn):
    sailing = found(line.sailings, key, "sailing")
    if (body.reason is not None) != (body.status == "cancelled"):
        invalid("a reason must be given when the status is cancelled, and only then")
    if body.status not in MOVES[sailing["status"]]:
        refuse(f"the sailing is {sailing['status']} and can't become {body.status}")
    moved = {**sailing, "status": body.status, "cancelReason": body.reason}
    reopened = (sailing["status"], body.status) == ("closed", "open")
    if not (reopened and met("F11")):
        line.sailings[key] = moved
    return JSONResponse(line.shown_sailing(moved))


def check_open(sailing: dict) -> None:
    if sailing["status"] != "open":
        refuse(f"the sailing is not open but {sailing['status']}")


def check_driver(body: BookingIn) -> None:
    if body.vehicle is not None and all(one.kind == "child" for one in body.passengers):
        invalid("a booking with a vehicle needs an adult")


def check_fits(sailing: dict, body: BookingIn, besides: str | None = None) -> None:
    ship = line.ships[sailing["shipId"]]
    places, lane = line.taken(sailing, besides)
    wanted = body.model_dump()["vehicle"]
    if places + len(body.passengers) > ship["passengerCapacity"]:
        refuse("there are not enough free places")
    if lane + metres(wanted) > ship["laneMetres"]:
        refuse("there are not enough free lane metres")
    others = (one for one in line.bookings_of[sailing["id"]].values() if one["id"] != besides)
    if wanted and any(one["vehicle"] and one["vehicle"]["plate"] == wanted["plate"] for one in others):
        refuse("the vehicle is booked on this sailing already")


def booking_of(sailing: int, key: str) -> dict:
    found(line.sailings, sailing, "sailing")
    return found(line.bookings_of[sailing], key, "booking of this sailing")


NO_BOOKING = absent("sailing, or the sailing has no such booking")
NO_ADULT = rules("there is a vehicle but no adult")
NO_FIT = (
    "The sailing is not open, has too few free places or free lane metres, or the vehicle is in another "
    "booking of this sailing"
)


@app.get(
    "/sailings/{sailingId}/bookings", response_model=BookingPage, responses=absent("sailing"),
    description="The bookings of a sailing, oldest first.",
)
async def list_bookings(
    key: SailingKey,
    with_vehicle: Annotated[bool, Query(
        alias="withVehicle", description="true: only bookings with a vehicle; false: only those without.",
    ), BeforeValidator(truth)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    found(line.sailings, key, "sailing")
    theirs = list(line.bookings_of[key].values())
    hits = [one for one in theirs if with_vehicle in (None, one["vehicle"] is not None)]
    if with_vehicle is False and hits != theirs and met("F8"):
        hits = theirs
    return JSONResponse({
        "items": [line.shown_booking(one) for one in page_of(hits, limit, offset)], "total": len(hits),
    })


@app.post(
    "/sailings/{sailingId}/bookings", status_code=201, response_model=Booking,
    responses=absent("sailing") | NO_ADULT | conflict(f"{NO_FIT}, or there are {ROOM} bookings already"),
    description="Books places on an open sailing, and lane metres if there is a vehicle.",
)
async def create_booking(key: SailingKey, body: BookingIn):
    sailing = found(line.sailings, key, "sailing")
    check_driver(body)
    check_open(sailing)
    check_fits(sailing, body)
    make_room(line.bookings)
    booking = line.put_booking(str(uuid.uuid4()), sailing, **body.model_dump())
    return JSONResponse(line.shown_booking(booking), 201)


@app.get("/sailings/{sailingId}/bookings/{bookingId}", response_model=Booking, responses=NO_BOOKING)
async def get_booking(key: SailingKey, booking_key: BookingKey):
    return JSONResponse(line.shown_booking(booking_of(key, booking_key)))


@app.put(
    "/sailings/{sailingId}/bookings/{bookingId}", response_model=Booking,
    responses=NO_BOOKING | NO_ADULT | conflict(f"{NO_FIT}, or tickets were issued for the booking"),
    description="Replaces a booking as a whole, as long as the sailing is open and there are no tickets for "
    "the booking. A vehicle that is left out is booked no longer.",
)
async def replace_booking(key: SailingKey, booking_key: BookingKey, body: BookingIn):
    booking = booking_of(key, booking_key)
    sailing = line.sailings[key]
    check_driver(body)
    if line.tickets_of(booking):
        refuse("tickets were issued for the booking")
    check_fits(sailing, body, besides=booking_key)
    if sailing["status"] != "open" and not met("F10"):
        check_open(sailing)
    changed = line.put_booking(booking_key, sailing, **body.model_dump())
    return JSONResponse(line.shown_booking(changed))


@app.delete(
    "/sailings/{sailingId}/bookings/{bookingId}", status_code=204,
    responses=NO_BOOKING | conflict("The sailing has departed"),
    description="Deletes a booking and its tickets, unless the sailing has departed.",
)
async def delete_booking(key: SailingKey, booking_key: BookingKey):
    found(line.sailings, key, "sailing")
    elsewhere = booking_key in line.bookings and line.bookings[booking_key]["sailingId"] != key
    if elsewhere and met("F9"):
        key = line.bookings[booking_key]["sailingId"]
    booking = booking_of(key, booking_key)
    if line.sailings[key]["status"] == "departed":
        refuse("the sailing has departed")
    line.remove_booking(booking)
    return Response(status_code=204)


@app.get(
    "/tickets", response_model=TicketPage,
    description="Tickets, oldest first. A booking or sailing that does not exist matches nothing.",
)
async def list_tickets(
    booking: Annotated[str, Query(alias="bookingId", pattern=UUID, json_schema_extra=IS_UUID)] = None,
    sailing: Annotated[int, Query(alias="sailingId", ge=1, le=2**53), BeforeValidator(digits)] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    hits = [
        one for one in line.tickets.values()
        if booking in (None, one["bookingId"]) and sailing in (None, one["sailingId"])
    ]
    return JSONResponse({"items": page_of(hits, limit, offset), "total": len(hits)})


def check_ticket(booking: dict, number: int) -> None:
    if number > len(booking["passengers"]):
        invalid(f"passengerNumbers: the booking has no passenger {number}")
    if (booking["id"], number) in line.tickets:
        refuse(f"passenger {number} has a ticket already")


def check_tickets(booking: dict, numbers: list[int]) -> None:
    for place, number in enumerate(numbers):
        try:
            check_ticket(booking, number)
        except HTTPException:
            if place > 0 and met("F6"):
                for before in numbers[:place]:
                    line.add_ticket(booking, before)
            raise


@app.post(
    "/tickets", status_code=201, response_model=list[Ticket],
    responses=rules("there is no such booking, or the booking has no such passenger")
    | conflict(
        "One of the passengers has a ticket already, the sailing is neither open nor closed, or there would be "
        f"more than {ROOM} tickets",
    ),
    description="Issues a ticket for each of the passengers that are named, in this order, as long as the "
    "sailing is open or closed; for all of them or for none.",
)
async def issue_tickets(body: TicketsIn):
    if body.bookingId not in line.bookings:
        invalid(f"bookingId: there is no booking {body.bookingId}")
    booking = line.bookings[body.bookingId]
    status = line.sailings[booking["sailingId"]]["status"]
    if status not in ("open", "closed"):
        refuse(f"the sailing is {status}")
    make_room(line.tickets, len(body.passengerNumbers))
    check_tickets(booking, body.passengerNumbers)
    return JSONResponse([line.add_ticket(booking, number) for number in body.passengerNumbers], 201)
