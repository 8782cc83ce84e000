"""A clinic in memory: rooms are booked by the day, patients have appointments for treatments.

FAULTS chooses what is wrong with it: `none` (the default), `all`, or some names, as `C1,C9`.

    C1   GET /bookings               a next page loses those that start on the day the page before ended with
    C2   GET /treatments             minPrice is compared as text: 900 is let through at minPrice=1000
    C3   GET /rooms                  sort=-price shows one room of each price, while total counts all
    C4   GET /appointments           the page is cut first and put in order afterwards: limit=3 doesn't start as limit=1
    C5   GET /bookings               the price of a booking with a discount is shown without it; by id it is right
    C6   POST, PATCH /bookings       500 when endDate's day of the month doesn't exist in the month after it
    C7   POST /rooms                 500 when capacity and pricePerDay both are at their maximum
    C8   GET /search                 3 seconds when q has one character
    C9   GET /patients/{patientId}   a deleted appointment is still among the patient's
    C10  POST /patients              one that is refused for want of phone and email is kept all the same
    C11  POST /rooms                 the code of a deleted room is refused as taken
    C12  PUT /rooms/{code}           a new pricePerDay is answered, and not stored

Without faults it keeps to its document, so whatever a tester reports of it is a false alarm.
GET /__stats tells how many requests came and how often each fault was met; POST /__reset
goes back to the start. Handlers have no docstrings, because these would end up in the document.
"""

import asyncio
import calendar
import json
import os
import re
from datetime import date, datetime, timedelta, timezone
from typing import Annotated, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.routing import Match

FAULTS = tuple(f"C{n}" for n in range(1, 13))
SHELF_SIZE = 20_000
CATEGORIES = ("checkup", "dental", "massage", "xray")
TREATMENT_SORTS = ("price", "-price", "name", "-name")
KINDS = ("room", "patient", "treatment")


def chosen_faults(text: str) -> frozenset[str]:
    named = {"all": FAULTS, "none": ()}.get(text, text.split(","))
    unknown = set(named) - set(FAULTS)
    if unknown:
        raise SystemExit(f"FAULTS: no such fault: {', '.join(sorted(unknown))}")
    return frozenset(named)


class Clinic:
    """Everything the service remembers. Every shelf has numbers of its own; rooms have codes."""

    def __init__(self) -> None:
        self.rooms: dict[str, dict] = {}
        self.bookings: dict[int, dict] = {}
        self.patients: dict[int, dict] = {}
        self.treatments: dict[int, dict] = {}
        self.appointments: dict[int, dict] = {}
        self.ghosts: dict[int, dict] = {}  # deleted appointments that C9 keeps
        self.gone: set[str] = set()  # codes of deleted rooms that C11 refuses
        self.last = {"bookings": 0, "patients": 0, "treatments": 0, "appointments": 0}
        self.seeds: set[int] = set()
        self.stats = {"requests": 0} | dict.fromkeys(FAULTS, 0)
        self.by_operation: dict[str, int] = {}
        self.fill()

    def met(self, fault: str, there: bool = True) -> bool:
        """Whether a fault is there to be met at a place that asks for it; counts that it was."""
        if not there or fault not in faults:
            return False
        self.stats[fault] += 1
        return True

    def add(self, name: str, thing: dict) -> dict:
        self.last[name] += 1
        made = {"id": self.last[name], **thing}
        return self.put(getattr(self, name), made["id"], made)

    def put(self, shelf: dict, key: int | str, made: dict) -> dict:
        if len(shelf) >= SHELF_SIZE:  # a long run must not eat the machine
            self.remove(shelf, next(k for k, thing in shelf.items() if id(thing) not in self.seeds))
        shelf[key] = made
        return made

    def remove(self, shelf: dict, key: int | str) -> None:
        del shelf[key]
        if shelf is self.rooms:
            for booking in self.bookings_of(key):
                del self.bookings[booking["id"]]
        if shelf is self.patients:
            for one in [a for a in self.appointments.values() if a["patientId"] == key]:
                del self.appointments[one["id"]]
        if shelf is self.treatments:
            for one in [a for a in self.appointments.values() if a["treatmentId"] == key]:
                del self.appointments[one["id"]]

    def bookings_of(self, code: str) -> list[dict]:
        return sorted((b for b in self.bookings.values() if b["roomCode"] == code), key=booking_order)

    def fill(self) -> None:
        for row in SEED_ROOMS:
            self.rooms[row[0]] = dict(zip(("code", "name", "capacity", "pricePerDay", "status"), row))
        for code, start, days, quantity, discount, member, note, status in SEED_BOOKINGS:
            first = date.fromisoformat(start)
            fields = {"roomCode": code, "startDate": first, "endDate": first + timedelta(days=days)}
            fields |= {"quantity": quantity, "discount": discount, "memberNumber": member, "note": note}
            self.add("bookings", computed(fields | {"pricePerDay": self.rooms[code]["pricePerDay"], "status": status}))
        for row in SEED_PATIENTS:
            patient = dict(zip(("name", "phone", "email", "memberNumber", "bornOn"), row))
            patient["bornOn"] = patient["bornOn"] and date.fromisoformat(patient["bornOn"])
            self.add("patients", patient)
        for row in SEED_TREATMENTS:
            self.add("treatments", dict(zip(("name", "category", "price", "minutes"), row)))
        for patient, treatment, start, minutes, reason in SEED_APPOINTMENTS:
            starts = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)
            fields = {"patientId": patient, "treatmentId": treatment, "startsAt": starts}
            fields |= {"endsAt": starts + timedelta(minutes=minutes), "reason": reason, "minutes": minutes}
            self.add("appointments", fields | {"treatmentName": self.treatments[treatment]["name"]})
        shelves = (self.rooms, self.bookings, self.patients, self.treatments, self.appointments)
        self.seeds = {id(thing) for shelf in shelves for thing in shelf.values()}


SEED_ROOMS = (
    ("A-101", "Linden", 2, 9000, "open"),
    ("A-102", "Birch", 4, 12000, "open"),
    ("A-103", "Maple", 4, 12000, "open"),
    ("A-104", "Willow", 1, 6500, "open"),
    ("B-201", "Cedar", 6, 15000, "open"),
    ("B-202", "Aspen", 2, 9000, "open"),
    ("B-203", "Rowan", 10, 30000, "open"),
    ("B-204", "Old laundry", 3, 4000, "closed"),
    ("C-301", "Alder", 3, 12000, "open"),
    ("C-302", "Hazel", 8, 18000, "open"),
    ("C-303", "Elm", 5, 800, "open"),
    ("C-304", "Little Elm", 1, 6500, "closed"),
    ("D-1", "Garden house", 12, 45000, "open"),
)
SEED_BOOKINGS = (
    ("A-101", "2025-03-03", 4, 2, None, None, None, "booked"),
    ("A-102", "2025-03-03", 2, 3, 10, "M1001", "Ground floor, please", "booked"),
    ("B-201", "2025-02-10", 5, 6, None, None, None, "cancelled"),
    ("B-201", "2025-02-24", 10, 5, None, "M1003", None, "booked"),
    ("A-103", "2025-03-03", 7, 4, None, None, "Late arrival", "booked"),
    ("C-302", "2025-04-14", 3, 8, 25, "M1002", None, "booked"),
    ("A-101", "2025-04-14", 1, 1, None, None, None, "booked"),
    ("D-1", "2024-02-27", 3, 12, None, None, "Whole family", "booked"),
    ("C-303", "2025-05-01", 14, 2, None, None, None, "cancelled"),
    ("B-203", "2025-05-01", 2, 9, None, None, None, "booked"),
)
SEED_PATIENTS = (
    ("Ada Brown", "+44 20 7946 0001", "ada@example.com", "M1001", "1961-04-12"),
    ("Bruno Elmer", "+41 44 555 0102", None, None, "1988-11-30"),
    ("Clara Diaz", None, "clara.diaz@example.org", "M1002", "1996-02-29"),
    ("Dev Patel", "020 7946 0004", None, "M1003", None),
    ("Edda Birch", None, "edda@example.net", None, "2004-07-01"),
    ("Farid Brown", "020 7946 0006", "farid@example.com", None, None),
)
SEED_TREATMENTS = (
    ("Short talk", "checkup", 900, 10),
    ("Full checkup", "checkup", 12500, 90),
    ("Cleaning of teeth", "dental", 7800, 45),
    ("Filling", "dental", 15000, 60),
    ("Back massage", "massage", 4500, 30),
    ("Massage by the sea", "massage", 10000, 120),
    ("X-ray of a hand", "xray", 5200, 15),
    ("Look at an old picture", "xray", 500, 5),
    ("Second opinion", "checkup", 4500, 30),
)
SEED_APPOINTMENTS = (
    (1, 2, "2025-03-12T09:00", 90, "Once a year"),
    (2, 5, "2025-03-04T14:30", 30, None),
    (3, 3, "2025-03-20T08:15", 45, None),
    (1, 7, "2025-02-28T11:00", 15, "Fell off a ladder"),
    (4, 1, "2025-03-04T14:30", 10, None),
    (5, 6, "2025-01-31T16:00", 120, "A present"),
    (1, 9, "2025-04-01T10:00", 30, None),
)


class Refused(Exception):
    """An answer that a rule gives: a sentence, or one for each field."""

    def __init__(self, status: int, detail: str = "", **fields: str) -> None:
        errors = [{"field": field, "message": message} for field, message in fields.items()]
        self.status, self.body = status, {"errors": errors} if errors else {"detail": detail}


def found(shelf: dict, key: int | str) -> dict:
    if key not in shelf:
        raise HTTPException(404, "not found")
    return shelf[key]


def booking_order(booking: dict) -> tuple:
    return booking["startDate"], booking["id"]


def appointment_order(appointment: dict) -> tuple:
    return appointment["startsAt"], appointment["id"]


def month_later(day: date) -> date:
    year, month = divmod(day.year * 12 + day.month, 12)
    last = calendar.monthrange(year, month + 1)[1]
    if day.day > last and not clinic.met("C6"):
        day = day.replace(day=last)
    return day.replace(year=year, month=month + 1)


def computed(booking: dict) -> dict:
    days = (booking["endDate"] - booking["startDate"]).days
    price = days * booking["pricePerDay"] * (100 - (booking["discount"] or 0)) // 100
    return booking | {"days": days, "price": price, "invoiceDueOn": month_later(booking["endDate"])}


def has(name: str, q: str) -> bool:
    return q.casefold() in name.casefold()


def whole(value: object) -> object:
    # To JSON Schema 3.0 is an integer; to pydantic's strict mode it is not.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def digits(value: object) -> object:
    # The framework would take " 7" and "1_000" as well.
    if isinstance(value, str):
        if not re.fullmatch(r"-?[0-9]{1,18}(\.0+)?", value):
            raise ValueError("must be a whole number")
        return int(value.split(".")[0])
    return value


def day_between(first: date, last: date):
    def read(value: object) -> object:
        if isinstance(value, str):
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
                raise ValueError("must be a date such as 2025-03-31")
            day = date.fromisoformat(value)
            if not first <= day <= last:
                raise ValueError(f"must be from {first} up to {last}")
            return day
        return value

    return BeforeValidator(read)


MOMENT = (
    r"(20[0-9]{2}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]+))?"
    r"([Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)


def moment(value: object) -> object:
    if isinstance(value, str):
        parts = re.fullmatch(MOMENT, value)
        if not parts:
            raise ValueError("must be a date-time with an offset, from the year 2000 up to 2099")
        day, time, fraction, offset = parts.groups()
        offset = "+00:00" if offset in "Zz" else offset
        text = f"{day}T{time}.{(fraction or '0')[:6]:0<6}{offset}"
        return datetime.fromisoformat(text).astimezone(timezone.utc)
    return value


FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
Int = Annotated[int, BeforeValidator(whole)]
Percent = Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)]
Day = Annotated[date, day_between(FIRST_DAY, LAST_DAY)]
BirthDay = Annotated[date, day_between(date(1900, 1, 1), date(2025, 12, 31))]
Moment = Annotated[datetime, BeforeValidator(moment)]
Code = Annotated[str, Field(pattern="^[A-Z]-[0-9]{1,3}$")]
MemberNumber = Annotated[str, Field(pattern="^M[0-9]{4}$")]
IN_RANGE = "from 2000-01-01 up to 2099-12-31"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, json_schema_serialization_defaults_required=True)


class RoomChange(Strict):
    name: str = Field(min_length=1, description="No more than 80 characters.")
    capacity: Int = Field(description="How many people it holds, from 1 up to 12.")
    pricePerDay: Int = Field(ge=0, le=100_000, description="In cents.")


class RoomIn(RoomChange):
    code: Code = Field(description="Chosen by you; no two rooms have the same.")


class Room(RoomIn):
    status: Literal["open", "closed"]


class BookingPatch(Strict):
    startDate: Day = Field(default=None, description=f"The first day, {IN_RANGE}.")
    endDate: Day = Field(default=None, description=f"The day of leaving: must be after startDate; {IN_RANGE}.")
    quantity: Int = Field(default=None, ge=1, description="How many people; no more than the room's capacity.")
    discount: Percent | None = Field(default=None, description="In percent. Only for members: needs memberNumber.")
    memberNumber: MemberNumber | None = None
    note: str | None = Field(default=None, description="No more than 80 characters.")


class BookingIn(BookingPatch):
    roomCode: Code = Field(description="The code of a room, which must be open when it is booked.")
    startDate: Day = Field(description=f"The first day, {IN_RANGE}.")
    endDate: Day = Field(description=f"The day of leaving: must be after startDate; {IN_RANGE}.")
    quantity: Int = Field(ge=1, description="How many people; no more than the room's capacity.")


class Booking(BookingIn):
    id: int
    status: Literal["booked", "cancelled"]
    days: int = Field(description="From startDate to endDate, the day of leaving not counted.")
    pricePerDay: int = Field(description="What the room cost when it was booked.")
    price: int = Field(description="days times pricePerDay, less the discount, rounded down.")
    invoiceDueOn: date = Field(
        description="The same day of the month after endDate; the last of that month if it is shorter."
    )


class RoomWithBookings(Room):
    bookings: list[Booking] = Field(description="All of the room, in order of startDate, then id.")


class PatientIn(Strict):
    name: str = Field(min_length=1, max_length=60)
    phone: str | None = Field(
        default=None, pattern="^[0-9+][0-9 ]{4,19}$", description="Either phone or email must be given."
    )
    email: str | None = Field(
        default=None,
        pattern=r"^[a-z0-9.]{1,30}@[a-z0-9]{1,20}\.[a-z]{2,4}$",
        description="Either phone or email must be given.",
    )
    memberNumber: MemberNumber | None = None
    bornOn: BirthDay | None = Field(default=None, description="From 1900-01-01 up to 2025-12-31.")


class Patient(PatientIn):
    id: int


class TreatmentIn(Strict):
    name: str = Field(min_length=1, max_length=60)
    category: str = Field(description=f"One of: {', '.join(CATEGORIES)}.")
    price: Int = Field(ge=1, le=1_000_000, description="In cents.")
    minutes: Int = Field(description="How long it takes, from 5 up to 240.")


class Treatment(TreatmentIn):
    id: int


class AppointmentIn(Strict):
    patientId: Int = Field(ge=1, description="The id of a patient.")
    treatmentId: Int = Field(ge=1, description="The id of a treatment.")
    startsAt: Moment = Field(description="From the year 2000 up to 2099, no leap second. It is answered in UTC.")
    endsAt: Moment = Field(
        description="Must be after startsAt. From the year 2000 up to 2099, no leap second. It is answered in UTC."
    )
    reason: str | None = Field(default=None, description="No more than 80 characters.")


class Appointment(AppointmentIn):
    id: int
    minutes: int = Field(description="Whole minutes from startsAt to endsAt.")
    treatmentName: str


class PatientWithAppointments(Patient):
    appointments: list[Appointment] = Field(description="All of the patient, in order of startsAt, then id.")


class Hit(Strict):
    kind: Literal["room", "patient", "treatment"]
    id: str = Field(description="A room's code, or the id of another thing.")
    name: str


class Counted(Strict):
    total: int = Field(description="How many there are with the same filters, on all pages together.")


class RoomPage(Counted):
    items: list[Room]
    page: int
    size: int


class BookingPage(Counted):
    items: list[Booking]
    nextCursor: str | None = Field(description="The cursor of the next page; null on the last one.")


class Window(Counted):
    limit: int
    offset: int


class PatientWindow(Window):
    items: list[Patient]


class TreatmentWindow(Window):
    items: list[Treatment]


class AppointmentWindow(Window):
    items: list[Appointment]


class HitWindow(Window):
    items: list[Hit]


class Month(Strict):
    month: str
    daysInMonth: int
    bookedDays: int = Field(description="Days of this month that the bookings below take, added up.")
    bookings: list[Booking] = Field(
        description="All that take at least one day of the month and aren't cancelled, in order of startDate, then id."
    )


class Problem(Strict):
    detail: str


class FieldProblem(Strict):
    field: str
    message: str


class FieldProblems(Strict):
    errors: list[FieldProblem]


MEANINGS = {
    400: "It does not fit together",
    404: "There is no such thing",
    409: "It can't be done in the state that things are in",
    422: "A value is not as it has to be",
}


def may_be(*statuses: int) -> dict:
    return {
        status: {"model": FieldProblems | Problem if status == 422 else Problem, "description": MEANINGS[status]}
        for status in (*statuses, 422)
    }


def number(first: int, last: int):
    return Annotated[int, Field(ge=first, le=last), BeforeValidator(digits)]


Id = number(1, 2**53)
Number = Annotated[Id, Path()]
RoomCode = Annotated[Code, Path()]
Limit = Annotated[number(1, 100), Query()]
Offset = Annotated[number(0, 100_000), Query()]
Price = number(0, 1_000_000)
Words = Annotated[str, Query(min_length=1, max_length=40, description="Is part of the name; case doesn't matter.")]

app = FastAPI(title="Clinic", version="1.0.0", redirect_slashes=False)
faults = chosen_faults(os.environ.get("FAULTS", "none"))
clinic = Clinic()


@app.middleware("http")
async def count(request: Request, call_next):
    if request.url.path.startswith("/__"):
        return await call_next(request)
    clinic.stats["requests"] += 1
    try:
        response = await call_next(request)
    except Exception:  # left to the server, the connection would be cut too
        response = Response("Internal Server Error", 500, media_type="text/plain")
    path = getattr(request.scope.get("route"), "path", "?")
    key = f"{request.method} {path} {response.status_code}"
    clinic.by_operation[key] = clinic.by_operation.get(key, 0) + 1
    return response


@app.exception_handler(Refused)
async def refuse_by_rule(_request: Request, error: Refused):
    return JSONResponse(error.body, error.status)


@app.exception_handler(RequestValidationError)
async def refuse_invalid(_request: Request, error: RequestValidationError):
    errors = []
    for one in error.errors():
        field = ".".join(str(part) for part in one["loc"][1:]) or str(one["loc"][0])
        field = field.encode("utf-8", "replace").decode()  # half a surrogate pair can't be sent
        errors.append({"field": field, "message": one["msg"].encode("utf-8", "replace").decode()})
    return Response(json.dumps({"errors": errors}), 422, media_type="application/json")


# A body that can't even be decoded is a 400 to the framework; the document knows only 422.
@app.exception_handler(AnyHTTPException)
async def refuse(request: Request, error: AnyHTTPException):
    if error.status_code == 400:
        return JSONResponse({"errors": [{"field": "body", "message": str(error.detail)}]}, 422)
    headers = error.headers
    if error.status_code == 405:  # the framework names the methods of one route only
        routes = [r for r in app.routes if r.matches(request.scope)[0] != Match.NONE]
        headers = {"allow": ", ".join(sorted({method for r in routes for method in r.methods}))}
    return JSONResponse({"detail": error.detail}, error.status_code, headers)


@app.get("/__stats", include_in_schema=False)
async def get_stats():
    return {"stats": clinic.stats, "by_op": clinic.by_operation}


@app.post("/__reset", include_in_schema=False)
async def reset():
    clinic.__init__()
    return {}


def check_room(body: RoomChange) -> None:
    problems = {}
    if len(body.name) > 80:
        problems["name"] = "has more than 80 characters"
    if not 1 <= body.capacity <= 12:
        problems["capacity"] = "must be between 1 and 12"
    if problems:
        raise Refused(422, **problems)


@app.get(
    "/rooms",
    response_model=RoomPage,
    responses=may_be(),
    description="Without sort in order of code. sort changes the order and nothing else; "
    "equal ones are in order of code.",
)
async def list_rooms(
    page: Annotated[number(1, 10_000), Query()] = 1,
    size: Annotated[number(1, 50), Query()] = 10,
    status: Annotated[Literal["open", "closed"], Query()] = None,
    minPrice: Annotated[Price, Query(description="Only rooms with this pricePerDay or more.")] = 0,
    sort: Annotated[
        Literal["price", "-price", "name"], Query(description="price is pricePerDay; - is downwards.")
    ] = None,
):
    rooms = [r for r in clinic.rooms.values() if r["pricePerDay"] >= minPrice and status in (None, r["status"])]
    rooms.sort(key=lambda r: r["code"])
    total = len(rooms)
    if sort == "price":
        rooms.sort(key=lambda r: r["pricePerDay"])
    if sort == "-price":
        rooms.sort(key=lambda r: -r["pricePerDay"])
        one_each = list({r["pricePerDay"]: r for r in rooms}.values())
        if clinic.met("C3", len(one_each) < len(rooms)):
            rooms = one_each
    if sort == "name":
        rooms.sort(key=lambda r: r["name"])
    return {"items": rooms[(page - 1) * size : page * size], "total": total, "page": page, "size": size}


@app.post(
    "/rooms",
    status_code=201,
    response_model=Room,
    responses=may_be(409),
    description="Makes an open room. 409 if there is a room with this code; the code of a deleted room is free again.",
)
async def create_room(body: RoomIn):
    check_room(body)
    if body.code in clinic.rooms or clinic.met("C11", body.code in clinic.gone):
        raise Refused(409, f"Code {body.code} is taken")
    if body.capacity == 12 and body.pricePerDay == 100_000 and clinic.met("C7"):
        raise RuntimeError("C7")
    return clinic.put(clinic.rooms, body.code, body.model_dump() | {"status": "open"})


@app.get("/rooms/{code}", response_model=RoomWithBookings, responses=may_be(404))
async def get_room(code: RoomCode):
    return found(clinic.rooms, code) | {"bookings": clinic.bookings_of(code)}


@app.put(
    "/rooms/{code}",
    response_model=Room,
    responses=may_be(404, 409),
    description="409 if the room is closed, or if it is booked for more people than the new capacity. "
    "What has been booked keeps its price.",
)
async def update_room(code: RoomCode, body: RoomChange):
    room = found(clinic.rooms, code)
    check_room(body)
    if room["status"] == "closed":
        raise Refused(409, "The room is closed and can't be changed")
    if any(b["quantity"] > body.capacity for b in clinic.bookings_of(code) if b["status"] == "booked"):
        raise Refused(409, "The room is booked for more people than that")
    answer = room | body.model_dump()
    old_price = room["pricePerDay"]
    room.update(answer)
    if clinic.met("C12", body.pricePerDay != old_price):
        room["pricePerDay"] = old_price
    return answer


@app.delete(
    "/rooms/{code}",
    status_code=204,
    responses=may_be(404, 409),
    description="Its cancelled bookings go with it. 409 if there are others.",
)
async def delete_room(code: RoomCode):
    found(clinic.rooms, code)
    if any(b["status"] == "booked" for b in clinic.bookings_of(code)):
        raise Refused(409, "The room is booked")
    clinic.remove(clinic.rooms, code)
    if "C11" in faults:
        clinic.gone.add(code)
    return Response(status_code=204)


@app.post(
    "/rooms/{code}/close",
    response_model=Room,
    responses=may_be(404, 409),
    description="A closed room takes no new bookings and can't be changed. 409 if it is closed already.",
)
async def close_room(code: RoomCode):
    room = found(clinic.rooms, code)
    if room["status"] == "closed":
        raise Refused(409, "The room is closed already")
    room["status"] = "closed"
    return room


def check_booking(booking: dict, number: int | None) -> None:
    room = clinic.rooms[booking["roomCode"]]
    if booking["endDate"] <= booking["startDate"]:
        raise Refused(422, endDate="must be after startDate")
    if booking["note"] is not None and len(booking["note"]) > 80:
        raise Refused(422, note="too long: no more than 80 characters, please")
    if booking["discount"] is not None and booking["memberNumber"] is None:
        raise Refused(422, "A discount is for members only: memberNumber is missing")
    if booking["quantity"] > room["capacity"]:
        raise Refused(400, f"quantity is more than room {room['code']} holds, which is {room['capacity']}")
    for other in clinic.bookings_of(room["code"]):
        if other["id"] != number and other["status"] == "booked":
            if booking["startDate"] < other["endDate"] and other["startDate"] < booking["endDate"]:
                raise Refused(409, f"Room {room['code']} is booked from {other['startDate']} to {other['endDate']}")


@app.get(
    "/bookings",
    response_model=BookingPage,
    responses=may_be(400),
    description="In order of startDate, then id. Each page's nextCursor leads to the next one. "
    "400 if the cursor is none of ours.",
)
async def list_bookings(
    limit: Limit = 5,
    cursor: Annotated[str, Query(description="The nextCursor of the page before.")] = None,
    status: Annotated[Literal["booked", "cancelled"], Query()] = None,
    roomCode: Annotated[Code, Query(description="Only bookings of this room.")] = None,
):
    rows = [
        booking
        for booking in clinic.bookings.values()
        if status in (None, booking["status"]) and roomCode in (None, booking["roomCode"])
    ]
    rows.sort(key=booking_order)
    total = len(rows)
    if cursor is not None:
        last_day, last_id = read_cursor(cursor)
        rows = [b for b in rows if booking_order(b) > (last_day, last_id)]
        if rows and clinic.met("C1", rows[0]["startDate"] == last_day):
            rows = [b for b in rows if b["startDate"] > last_day]
    items, more = rows[:limit], len(rows) > limit
    next_cursor = f"{items[-1]['startDate']}.{items[-1]['id']}" if more else None
    if clinic.met("C5", any(b["discount"] for b in items)):
        items = [b | {"price": b["days"] * b["pricePerDay"]} for b in items]
    return {"items": items, "total": total, "nextCursor": next_cursor}


def read_cursor(cursor: str) -> tuple[date, int]:
    parts = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.([0-9]{1,15})", cursor)
    try:
        return date.fromisoformat(parts[1]), int(parts[2])
    except (TypeError, ValueError):
        raise Refused(400, "This cursor is none of ours") from None


@app.post(
    "/bookings",
    status_code=201,
    response_model=Booking,
    responses=may_be(400, 409),
    description="422 if there is no such room. 400 if quantity is more than its capacity. 409 if it is closed, "
    "or booked for any of the days; a booking may start on the day another ends.",
)
async def create_booking(body: BookingIn):
    booking = body.model_dump()
    room = clinic.rooms.get(body.roomCode)
    if room is None:
        raise Refused(422, roomCode=f"there is no room {body.roomCode}")
    if room["status"] == "closed":
        raise Refused(409, f"Room {body.roomCode} is closed")
    check_booking(booking, None)
    return clinic.add("bookings", computed(booking | {"pricePerDay": room["pricePerDay"], "status": "booked"}))


@app.get("/bookings/{bookingId}", response_model=Booking, responses=may_be(404))
async def get_booking(bookingId: Number):
    return found(clinic.bookings, bookingId)


@app.patch(
    "/bookings/{bookingId}",
    response_model=Booking,
    responses=may_be(400, 404, 409),
    description="What is left out stays as it is. The same rules as for a new booking; pricePerDay stays. "
    "409 if it is cancelled, or if the room is taken on any of the days.",
)
async def update_booking(bookingId: Number, body: BookingPatch):
    booking = found(clinic.bookings, bookingId)
    if booking["status"] == "cancelled":
        raise Refused(409, "A cancelled booking can't be changed")
    changed = booking | body.model_dump(exclude_unset=True)
    check_booking(changed, bookingId)
    booking.update(computed(changed))
    return booking


@app.post(
    "/bookings/{bookingId}/cancel",
    response_model=Booking,
    responses=may_be(404, 409),
    description="Sets the room free. 409 if it is cancelled already.",
)
async def cancel_booking(bookingId: Number):
    booking = found(clinic.bookings, bookingId)
    if booking["status"] == "cancelled":
        raise Refused(409, "The booking is cancelled already")
    booking["status"] = "cancelled"
    return booking


def window(rows: list[dict], limit: int, offset: int) -> dict:
    return {"items": rows[offset : offset + limit], "total": len(rows), "limit": limit, "offset": offset}


@app.get("/patients", response_model=PatientWindow, responses=may_be(), description="In order of id.")
async def list_patients(limit: Limit = 20, offset: Offset = 0, q: Words = None):
    return window([p for p in clinic.patients.values() if q is None or has(p["name"], q)], limit, offset)


@app.post("/patients", status_code=201, response_model=Patient, responses=may_be())
async def create_patient(body: PatientIn):
    if body.phone is None and body.email is None:
        if clinic.met("C10"):
            clinic.add("patients", body.model_dump())
        raise Refused(422, "Either phone or email must be given")
    return clinic.add("patients", body.model_dump())


@app.get("/patients/{patientId}", response_model=PatientWithAppointments, responses=may_be(404))
async def get_patient(patientId: Number):
    patient = found(clinic.patients, patientId)
    rows = [a for a in clinic.appointments.values() if a["patientId"] == patientId]
    ghosts = [a for a in clinic.ghosts.values() if a["patientId"] == patientId]
    if clinic.met("C9", bool(ghosts)):
        rows += ghosts
    return patient | {"appointments": sorted(rows, key=appointment_order)}


@app.get(
    "/treatments",
    response_model=TreatmentWindow,
    responses=may_be(400),
    description="Without sort in order of id. sort changes the order and nothing else; equal ones are in order of id. "
    "400 if minPrice is more than maxPrice.",
)
async def list_treatments(
    limit: Limit = 20,
    offset: Offset = 0,
    category: Annotated[str, Query(description=f"One of: {', '.join(CATEGORIES)}.")] = None,
    minPrice: Annotated[Price, Query(description="Only those with this price or more.")] = None,
    maxPrice: Annotated[Price, Query(description="Only those with this price or less.")] = None,
    sort: Annotated[str, Query(description=f"One of: {', '.join(TREATMENT_SORTS)}.")] = None,
):
    if category is not None and category not in CATEGORIES:
        raise Refused(422, category=f"must be one of: {', '.join(CATEGORIES)}")
    if sort is not None and sort not in TREATMENT_SORTS:
        raise Refused(422, f"Can't sort like this. Choose one of: {', '.join(TREATMENT_SORTS)}")
    if minPrice is not None and maxPrice is not None and minPrice > maxPrice:
        raise Refused(400, "minPrice must not be more than maxPrice")
    rows = [t for t in clinic.treatments.values() if category in (None, t["category"])]
    if maxPrice is not None:
        rows = [t for t in rows if t["price"] <= maxPrice]
    if minPrice is not None:
        as_text = [t for t in rows if str(t["price"]) >= str(minPrice)]
        rows = [t for t in rows if t["price"] >= minPrice]
        if clinic.met("C2", rows != as_text):
            rows = as_text
    if sort is not None:
        rows.sort(key=lambda t: t[sort.removeprefix("-")], reverse=sort.startswith("-"))
    return window(rows, limit, offset)


@app.post("/treatments", status_code=201, response_model=Treatment, responses=may_be())
async def create_treatment(body: TreatmentIn):
    if body.category not in CATEGORIES:
        raise Refused(422, category=f"must be one of: {', '.join(CATEGORIES)}")
    if not 5 <= body.minutes <= 240:
        raise Refused(422, "minutes: expected a number from 5 up to 240")
    return clinic.add("treatments", body.model_dump())


@app.get("/treatments/{treatmentId}", response_model=Treatment, responses=may_be(404))
async def get_treatment(treatmentId: Number):
    return found(clinic.treatments, treatmentId)


@app.get(
    "/appointments",
    response_model=AppointmentWindow,
    responses=may_be(400),
    description="In order of startsAt, then id. 400 if startsTo is before startsFrom.",
)
async def list_appointments(
    limit: Limit = 20,
    offset: Offset = 0,
    patientId: Annotated[Id, Query()] = None,
    startsFrom: Annotated[Day, Query(description=f"Only those that start then or later, in UTC; {IN_RANGE}.")] = None,
    startsTo: Annotated[Day, Query(description=f"Only those that start then or earlier, in UTC; {IN_RANGE}.")] = None,
):
    if startsFrom is not None and startsTo is not None and startsTo < startsFrom:
        raise Refused(400, "startsTo must not be before startsFrom")
    rows = [
        a
        for a in clinic.appointments.values()
        if patientId in (None, a["patientId"])
        and (startsFrom is None or a["startsAt"].date() >= startsFrom)
        and (startsTo is None or a["startsAt"].date() <= startsTo)
    ]
    right = window(sorted(rows, key=appointment_order), limit, offset)
    wrong = sorted(rows[offset : offset + limit], key=appointment_order)
    if clinic.met("C4", wrong != right["items"]):
        right["items"] = wrong
    return right


@app.post(
    "/appointments",
    status_code=201,
    response_model=Appointment,
    responses=may_be(409),
    description="422 if there is no such patient or treatment. "
    "409 if the patient has another appointment at that time.",
)
async def create_appointment(body: AppointmentIn):
    if body.endsAt <= body.startsAt:
        raise Refused(422, endsAt="must be after startsAt")
    if body.reason is not None and len(body.reason) > 80:
        raise Refused(422, "reason can have 80 characters at most")
    if body.patientId not in clinic.patients:
        raise Refused(422, "There is no such patient")
    if body.treatmentId not in clinic.treatments:
        raise Refused(422, treatmentId="does not exist")
    for other in clinic.appointments.values():
        if other["patientId"] == body.patientId:
            if body.startsAt < other["endsAt"] and other["startsAt"] < body.endsAt:
                raise Refused(409, f"The patient has appointment {other['id']} at that time")
    minutes = (body.endsAt - body.startsAt) // timedelta(minutes=1)
    name = clinic.treatments[body.treatmentId]["name"]
    return clinic.add("appointments", body.model_dump() | {"minutes": minutes, "treatmentName": name})


@app.get("/appointments/{appointmentId}", response_model=Appointment, responses=may_be(404))
async def get_appointment(appointmentId: Number):
    return found(clinic.appointments, appointmentId)


@app.delete("/appointments/{appointmentId}", status_code=204, responses=may_be(404))
async def delete_appointment(appointmentId: Number):
    appointment = found(clinic.appointments, appointmentId)
    clinic.remove(clinic.appointments, appointmentId)
    if "C9" in faults:
        clinic.put(clinic.ghosts, appointmentId, appointment)
    return Response(status_code=204)


@app.get(
    "/search",
    response_model=HitWindow,
    responses=may_be(),
    description="Rooms, patients and treatments by name: rooms in order of code, then the others in order of id.",
)
async def search(
    q: Words,
    kind: Annotated[str, Query(description=f"One of: {', '.join(KINDS)}.")] = None,
    limit: Limit = 20,
    offset: Offset = 0,
):
    if kind is not None and kind not in KINDS:
        raise Refused(422, kind=f"unknown; use one of: {', '.join(KINDS)}")
    if clinic.met("C8", len(q) == 1):
        await asyncio.sleep(3)
    rooms = sorted(clinic.rooms.items())
    shelves = {"room": rooms, "patient": clinic.patients.items(), "treatment": clinic.treatments.items()}
    rows = [
        {"kind": name, "id": str(key), "name": thing["name"]}
        for name, shelf in shelves.items()
        if kind in (None, name)
        for key, thing in shelf
        if has(thing["name"], q)
    ]
    return window(rows, limit, offset)


@app.get(
    "/months/{month}",
    response_model=Month,
    responses=may_be(404),
    description="What is booked in a month. 404 outside the years 2000 to 2099.",
)
async def get_month(
    month: Annotated[str, Path(pattern="^[0-9]{4}-(0[1-9]|1[0-2])$", description="Such as 2025-03.")],
):
    if not month.startswith("20"):
        raise HTTPException(404, "The calendar goes from 2000-01 to 2099-12")
    first = date.fromisoformat(f"{month}-01")
    days = calendar.monthrange(first.year, first.month)[1]
    after = first + timedelta(days=days)
    bookings = [
        b
        for b in clinic.bookings.values()
        if b["status"] == "booked" and b["startDate"] < after and b["endDate"] > first
    ]
    bookings.sort(key=booking_order)
    booked = sum((min(b["endDate"], after) - max(b["startDate"], first)).days for b in bookings)
    return {"month": month, "daysInMonth": days, "bookedDays": booked, "bookings": bookings}
