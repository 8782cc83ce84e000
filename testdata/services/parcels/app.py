"""Parcel-locker network: a small in-memory REST service with ten switchable faults.

FAULTS=all | none | comma-separated names. With FAULTS=none this is the correct twin.

P1   crash in a state: POST /parcels/{id}/return on a parcel that is still `announced` (never stored) answers 500.
P2   invalid input accepted: POST /quotes with weight_kg <= 0 answers 200 instead of 422.
P3   answer breaks its schema: GET /lockers/{id} of a locker without compartments has occupancy_percent "n/a" (documented: number).
P4   lost update: PATCH /parcels/{id} with fragile=false on an announced parcel whose fragile is true answers 200 but keeps true.
P5   refused write leaves something behind: POST /parcels/{id}/store into a free compartment that is too small answers 409, yet the compartment stays occupied.
P6   still listed after deletion: DELETE /lockers/{id}, then GET /lockers?city=<its city> still lists and counts it.
P7   filter after paging: GET /parcels?status=... with a limit/offset that cuts the unfiltered list returns too few items (total is right).
P8   child under a wrong parent: GET /lockers/{other}/compartments/{id} serves the compartment of another locker instead of 404.
P9   slow answer: GET /couriers?search=... takes about 2 s if the search text contains whitespace.
P10  uniqueness ignored: PUT /couriers/{id} with the email of another courier answers 200 instead of 409.
"""
import asyncio
import json
import os
import re
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator
from starlette.exceptions import HTTPException as StarletteHTTPException

NAMES = [f"P{n}" for n in range(1, 11)]
_given = os.environ.get("FAULTS", "none").strip()
ACTIVE = set(NAMES) if _given == "all" else {n.strip() for n in _given.split(",")} & set(NAMES)


def on(name: str) -> bool:
    return name in ACTIVE


def met(name: str) -> None:
    db.stats[name] += 1


# ---------------------------------------------------------------- types

def _whole(v: Any) -> Any:
    """JSON knows one kind of number: 3.0 is an integer too."""
    return int(v) if isinstance(v, float) and v.is_integer() else v


def _digits(v: Any) -> Any:
    if isinstance(v, str) and not re.fullmatch(r"-?[0-9]{1,4000}", v):
        raise ValueError("must be an integer")
    return v


def _truth(v: Any) -> Any:
    if isinstance(v, str) and v not in ("true", "false"):
        raise ValueError("must be true or false")
    return v


def _quote_weight(v: Any, handler: Any) -> Any:
    if on("P2") and type(v) in (int, float) and -1e6 <= v <= 0:
        return float(v)
    return handler(v)


Int = Annotated[int, BeforeValidator(_whole)]
Id = Annotated[int, Field(ge=1), BeforeValidator(_digits), Path()]
QueryId = Annotated[int, Field(ge=1), BeforeValidator(_digits), Query()]
QueryBool = Annotated[bool, BeforeValidator(_truth)]
Weight = Annotated[float, Field(gt=0, le=30, allow_inf_nan=False)]
Size = Literal["S", "M", "L"]
LockerStatus = Literal["active", "maintenance"]
ParcelStatus = Literal["announced", "stored", "collected", "returned"]
Vehicle = Literal["bike", "van", "truck"]
Name = Annotated[str, Field(min_length=1, max_length=60)]
Email = Annotated[str, Field(pattern=r"^[a-z0-9._-]{1,32}@[a-z0-9-]{1,32}\.[a-z]{2,6}$")]
Tracking = Annotated[str, Field(pattern=r"^[A-Z]{2}[0-9]{6}$")]
Code = Annotated[str, Field(pattern=r"^[0-9]{6}$")]
Note = Annotated[str, Field(max_length=200)]
RANK = {"S": 0, "M": 1, "L": 2}


def absent() -> Any:
    return None


class In(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Error(BaseModel):
    detail: str


class Page(BaseModel):
    total: int = Field(ge=0, description="All records that match the filters, on every page.")
    limit: int
    offset: int


class LockerIn(In):
    name: Name = Field(description="Unique in the network.")
    city: Name
    status: LockerStatus = "active"


class LockerPatch(In):
    name: Name = Field(default_factory=absent)
    city: Name = Field(default_factory=absent)
    status: LockerStatus = Field(default_factory=absent)


class Locker(BaseModel):
    id: int
    name: Name
    city: Name
    status: LockerStatus
    compartment_count: int = Field(ge=0)
    free_compartments: int = Field(ge=0)
    occupancy_percent: float = Field(ge=0, le=100)


class LockerPage(Page):
    items: list[Locker]


class CompartmentIn(In):
    label: str = Field(pattern=r"^[A-Z][0-9]{1,2}$", description="Unique within its locker.")
    size: Size


class Compartment(BaseModel):
    id: int
    locker_id: int
    label: str
    size: Size
    occupied: bool


class CourierIn(In):
    name: Name
    email: Email = Field(description="Unique among couriers.")
    vehicle: Vehicle


class Courier(BaseModel):
    id: int
    name: Name
    email: Email
    vehicle: Vehicle
    open_parcels: int = Field(ge=0, description="Parcels of this courier that are announced or stored.")


class CourierPage(Page):
    items: list[Courier]


class ParcelIn(In):
    tracking_number: Tracking = Field(description="Unique among parcels.")
    recipient: Name
    size: Size
    weight_kg: Weight
    locker_id: Int = Field(ge=1)
    courier_id: Int = Field(ge=1)
    fragile: bool = False
    note: Note | None = None


class ParcelPatch(In):
    recipient: Name = Field(default_factory=absent)
    weight_kg: Weight = Field(default_factory=absent)
    fragile: bool = Field(default_factory=absent)
    note: Note | None = Field(default_factory=absent)


class Parcel(BaseModel):
    id: int
    tracking_number: Tracking
    recipient: Name
    size: Size
    weight_kg: Weight
    locker_id: int
    courier_id: int
    fragile: bool
    note: Note | None
    status: ParcelStatus
    compartment_id: int | None = Field(description="Only while stored.")
    pickup_code: Code | None = Field(description="Only while stored.")


class ParcelPage(Page):
    items: list[Parcel]


class StoreIn(In):
    compartment_id: Int = Field(ge=1)


class CollectIn(In):
    code: Code


class Preferences(In):
    channel: Literal["email", "sms", "push", "none"]
    language: Literal["en", "de", "fr"]
    reminder_hours: Int = Field(ge=1, le=72)


class QuoteIn(In):
    size: Size
    weight_kg: Annotated[Weight, WrapValidator(_quote_weight)]
    express: bool = False
    insured_value: float = Field(0, ge=0, le=5000, allow_inf_nan=False)


class Quote(BaseModel):
    band: Literal["light", "medium", "heavy"]
    price_cents: int = Field(ge=1)
    currency: Literal["EUR"]


# ---------------------------------------------------------------- state

@dataclass
class Comp:
    id: int
    locker_id: int
    label: str
    size: str
    parcel_id: int | None = None


@dataclass
class Db:
    lockers: dict[int, dict] = field(default_factory=dict)
    comps: dict[int, Comp] = field(default_factory=dict)
    couriers: dict[int, dict] = field(default_factory=dict)
    parcels: dict[int, dict] = field(default_factory=dict)
    prefs: dict[int, Preferences] = field(default_factory=dict)
    ghosts: list[Locker] = field(default_factory=list)  # P6 only
    stats: dict[str, int] = field(default_factory=lambda: {"requests": 0, **{n: 0 for n in NAMES}})
    last: dict[str, int] = field(default_factory=dict)

    def next(self, kind: str) -> int:
        self.last[kind] = self.last.get(kind, 0) + 1
        return self.last[kind]


def new_locker(**f: Any) -> int:
    i = db.next("locker")
    db.lockers[i] = {"id": i, **f}
    return i


def new_comp(locker_id: int, label: str, size: str) -> Comp:
    c = Comp(db.next("comp"), locker_id, label, size)
    db.comps[c.id] = c
    return c


def new_courier(**f: Any) -> int:
    i = db.next("courier")
    db.couriers[i] = {"id": i, **f}
    return i


def new_parcel(**f: Any) -> int:
    i = db.next("parcel")
    db.parcels[i] = {"id": i, **f, "status": "announced", "compartment_id": None, "pickup_code": None}
    db.prefs[i] = Preferences(channel="email", language="en", reminder_hours=24)
    return i


def put_in(p: dict, c: Comp) -> None:
    c.parcel_id = p["id"]
    p.update(status="stored", compartment_id=c.id, pickup_code=f"{(p['id'] * 7919 + c.id * 104729) % 1000000:06d}")


def take_out(p: dict, status: str) -> None:
    if p["compartment_id"] is not None:
        db.comps[p["compartment_id"]].parcel_id = None
    p.update(status=status, compartment_id=None, pickup_code=None)


def seed() -> None:
    global db
    db = Db()
    for name, city, status in [("Central Station", "Berlin", "active"), ("Harbour", "Hamburg", "active"),
                               ("Market Square", "Berlin", "maintenance")]:
        new_locker(name=name, city=city, status=status)
    for locker_id, label, size in [(1, "A1", "S"), (1, "A2", "M"), (1, "A3", "L"), (2, "A1", "S"), (2, "A2", "L"), (3, "A1", "M")]:
        new_comp(locker_id, label, size)
    new_courier(name="Ada Jansen", email="ada@ship.test", vehicle="bike")
    new_courier(name="Bo Lind", email="bo@ship.test", vehicle="van")
    for n, (recipient, size, kg, locker_id, courier_id, fragile) in enumerate([
            ("Mia", "S", 0.5, 1, 1, False), ("Noah", "M", 2.0, 1, 1, True), ("Lena", "L", 12.5, 2, 2, False),
            ("Paul", "M", 3.2, 2, 2, False), ("Emma", "S", 0.9, 1, 2, True)], 1):
        new_parcel(tracking_number=f"DE{n:06d}", recipient=recipient, size=size, weight_kg=kg, locker_id=locker_id,
                   courier_id=courier_id, fragile=fragile, note=None)
    put_in(db.parcels[1], db.comps[1])
    put_in(db.parcels[3], db.comps[5])
    take_out(db.parcels[4], "collected")


db = Db()
seed()


# ---------------------------------------------------------------- views

def locker_view(l: dict) -> Locker:
    comps = [c for c in db.comps.values() if c.locker_id == l["id"]]
    used = sum(c.parcel_id is not None for c in comps)
    return Locker(**l, compartment_count=len(comps), free_compartments=len(comps) - used,
                  occupancy_percent=round(100 * used / len(comps), 1) if comps else 0.0)


def comp_view(c: Comp) -> Compartment:
    return Compartment(id=c.id, locker_id=c.locker_id, label=c.label, size=c.size, occupied=c.parcel_id is not None)


def courier_view(c: dict) -> Courier:
    n = sum(p["courier_id"] == c["id"] and p["status"] in ("announced", "stored") for p in db.parcels.values())
    return Courier(**c, open_parcels=n)


def get_or_404(table: dict, key: int, what: str) -> Any:
    if key not in table:
        raise HTTPException(404, f"{what} not found")
    return table[key]


def conflict(why: str) -> HTTPException:
    return HTTPException(409, why)


# ---------------------------------------------------------------- app

app = FastAPI(title="Parcel locker network", version="1.0.0", docs_url=None, redoc_url=None, redirect_slashes=False,
              generate_unique_id_function=lambda r: r.name)
R404 = {404: {"model": Error, "description": "No such record"}}
R409 = {409: {"model": Error, "description": "In conflict with the present state"}}
Limit = Annotated[int, Field(ge=1, le=100), BeforeValidator(_digits), Query()]
Offset = Annotated[int, Field(ge=0), BeforeValidator(_digits), Query()]


def unprocessable(errors: list[dict]) -> Response:
    # The refused input is not echoed: it may hold what JSON or UTF-8 cannot carry (NaN, lone surrogates).
    detail = [{"loc": [x if isinstance(x, int) else str(x).encode("utf-8", "replace").decode() for x in e["loc"]],
               "msg": str(e["msg"]).encode("utf-8", "replace").decode(), "type": e["type"]} for e in errors]
    return Response(json.dumps({"detail": detail}), 422, media_type="application/json")


@app.exception_handler(RequestValidationError)
async def on_invalid(_: Request, e: RequestValidationError) -> Response:
    return unprocessable(e.errors())


@app.exception_handler(StarletteHTTPException)
async def on_http(request: Request, e: StarletteHTTPException) -> Response:
    if e.status_code == 400:  # a body that cannot even be decoded
        return unprocessable([{"loc": ["body"], "msg": "The body cannot be read as JSON", "type": "json_invalid"}])
    headers = dict(e.headers or {})
    if e.status_code == 405:
        allowed = {m for r in app.routes if isinstance(r, APIRoute) and r.path_regex.match(request.url.path) for m in r.methods}
        headers["Allow"] = ", ".join(sorted(allowed)) or headers.get("Allow", "")
    return JSONResponse({"detail": e.detail}, e.status_code, headers=headers)


class Counting:
    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not scope["path"].startswith("/__"):
            db.stats["requests"] += 1
        await self.app(scope, receive, send)


app.add_middleware(Counting)


@app.get("/__stats", include_in_schema=False)
async def stats() -> dict:
    return {"stats": db.stats}


@app.post("/__reset", include_in_schema=False)
async def reset() -> dict:
    seed()
    return {"reset": True}


# ---------------------------------------------------------------- lockers

@app.get("/lockers", tags=["lockers"])
async def list_lockers(city: Annotated[str, Query(min_length=1, max_length=60)] = None,
                       status: Annotated[LockerStatus, Query()] = None,
                       sort: Annotated[Literal["id", "-id", "name", "-name"], Query()] = "id",
                       limit: Limit = 20, offset: Offset = 0) -> LockerPage:
    """Lockers; `city` is matched exactly."""
    rows = [locker_view(l) for l in db.lockers.values()]
    if city is not None:
        rows = [l for l in rows + db.ghosts if l.city == city]
    if status is not None:
        rows = [l for l in rows if l.status == status]
    if any(g in rows and g.id not in db.lockers for g in db.ghosts):
        met("P6")
    rows.sort(key=lambda l: getattr(l, sort.lstrip("-")), reverse=sort.startswith("-"))
    return LockerPage(items=rows[offset:offset + limit], total=len(rows), limit=limit, offset=offset)


def check_locker_name(name: str, own: int | None = None) -> None:
    if any(l["name"] == name and l["id"] != own for l in db.lockers.values()):
        raise conflict("another locker has this name")


@app.post("/lockers", tags=["lockers"], status_code=201, responses=R409)
async def create_locker(body: LockerIn) -> Locker:
    check_locker_name(body.name)
    return locker_view(db.lockers[new_locker(**body.model_dump())])


@app.get("/lockers/{locker_id}", tags=["lockers"], responses=R404, response_model=Locker)
async def get_locker(locker_id: Id) -> Any:
    view = locker_view(get_or_404(db.lockers, locker_id, "locker"))
    if on("P3") and view.compartment_count == 0:
        met("P3")
        return JSONResponse({**view.model_dump(), "occupancy_percent": "n/a"})
    return view


@app.patch("/lockers/{locker_id}", tags=["lockers"], responses={**R404, **R409})
async def update_locker(locker_id: Id, body: LockerPatch) -> Locker:
    l = get_or_404(db.lockers, locker_id, "locker")
    changes = body.model_dump(exclude_unset=True)
    if "name" in changes:
        check_locker_name(changes["name"], locker_id)
    l.update(changes)
    return locker_view(l)


@app.delete("/lockers/{locker_id}", tags=["lockers"], status_code=204, responses={**R404, **R409})
async def delete_locker(locker_id: Id) -> None:
    """Removes a locker with its compartments; refused while any parcel refers to it."""
    l = get_or_404(db.lockers, locker_id, "locker")
    if any(p["locker_id"] == locker_id for p in db.parcels.values()):
        raise conflict("parcels refer to this locker")
    if on("P6"):
        db.ghosts.append(locker_view(l))
    del db.lockers[locker_id]
    db.comps = {k: c for k, c in db.comps.items() if c.locker_id != locker_id}


# ---------------------------------------------------------------- compartments

@app.get("/lockers/{locker_id}/compartments", tags=["compartments"], responses=R404)
async def list_compartments(locker_id: Id, size: Annotated[Size, Query()] = None,
                            occupied: Annotated[QueryBool, Query()] = None) -> list[Compartment]:
    get_or_404(db.lockers, locker_id, "locker")
    rows = [comp_view(c) for c in db.comps.values() if c.locker_id == locker_id]
    return [c for c in rows if (size is None or c.size == size) and (occupied is None or c.occupied == occupied)]


@app.post("/lockers/{locker_id}/compartments", tags=["compartments"], status_code=201, responses={**R404, **R409})
async def create_compartment(locker_id: Id, body: CompartmentIn) -> Compartment:
    get_or_404(db.lockers, locker_id, "locker")
    if any(c.locker_id == locker_id and c.label == body.label for c in db.comps.values()):
        raise conflict("this locker has a compartment with this label")
    return comp_view(new_comp(locker_id, body.label, body.size))


@app.get("/lockers/{locker_id}/compartments/{compartment_id}", tags=["compartments"], responses=R404)
async def get_compartment(locker_id: Id, compartment_id: Id) -> Compartment:
    get_or_404(db.lockers, locker_id, "locker")
    c = get_or_404(db.comps, compartment_id, "compartment")
    if c.locker_id != locker_id:
        if not on("P8"):
            raise HTTPException(404, "compartment not found")
        met("P8")
    return comp_view(c)


# ---------------------------------------------------------------- couriers

@app.get("/couriers", tags=["couriers"])
async def list_couriers(search: Annotated[str, Query(min_length=1, max_length=40)] = None,
                        vehicle: Annotated[Vehicle, Query()] = None,
                        limit: Limit = 20, offset: Offset = 0) -> CourierPage:
    """Couriers by id; `search` is found anywhere in the name, in either case."""
    if search is not None and on("P9") and any(ch.isspace() for ch in search):
        met("P9")
        await asyncio.sleep(2)
    rows = [courier_view(c) for c in db.couriers.values()]
    if search is not None:
        rows = [c for c in rows if search.casefold() in c.name.casefold()]
    if vehicle is not None:
        rows = [c for c in rows if c.vehicle == vehicle]
    return CourierPage(items=rows[offset:offset + limit], total=len(rows), limit=limit, offset=offset)


def email_taken(email: str, own: int | None = None) -> bool:
    return any(c["email"] == email and c["id"] != own for c in db.couriers.values())


@app.post("/couriers", tags=["couriers"], status_code=201, responses=R409)
async def create_courier(body: CourierIn) -> Courier:
    if email_taken(body.email):
        raise conflict("another courier has this email")
    return courier_view(db.couriers[new_courier(**body.model_dump())])


@app.get("/couriers/{courier_id}", tags=["couriers"], responses=R404)
async def get_courier(courier_id: Id) -> Courier:
    return courier_view(get_or_404(db.couriers, courier_id, "courier"))


@app.put("/couriers/{courier_id}", tags=["couriers"], responses={**R404, **R409})
async def replace_courier(courier_id: Id, body: CourierIn) -> Courier:
    c = get_or_404(db.couriers, courier_id, "courier")
    if email_taken(body.email, courier_id):
        if not on("P10"):
            raise conflict("another courier has this email")
        met("P10")
    c.update(body.model_dump())
    return courier_view(c)


@app.delete("/couriers/{courier_id}", tags=["couriers"], status_code=204, responses={**R404, **R409})
async def delete_courier(courier_id: Id) -> None:
    """Refused while any parcel refers to the courier."""
    get_or_404(db.couriers, courier_id, "courier")
    if any(p["courier_id"] == courier_id for p in db.parcels.values()):
        raise conflict("parcels refer to this courier")
    del db.couriers[courier_id]


# ---------------------------------------------------------------- parcels

@app.get("/parcels", tags=["parcels"])
async def list_parcels(status: Annotated[ParcelStatus, Query()] = None,
                       locker_id: QueryId = None,
                       courier_id: QueryId = None,
                       limit: Limit = 20, offset: Offset = 0) -> ParcelPage:
    """Parcels by id."""
    rows = [p for p in db.parcels.values() if (locker_id is None or p["locker_id"] == locker_id)
            and (courier_id is None or p["courier_id"] == courier_id)]
    hits = [p for p in rows if status is None or p["status"] == status]
    page = hits[offset:offset + limit]
    if on("P7") and status is not None:
        cut = [p for p in rows[offset:offset + limit] if p["status"] == status]
        if cut != page:
            met("P7")
        page = cut
    return ParcelPage(items=[Parcel(**p) for p in page], total=len(hits), limit=limit, offset=offset)


@app.post("/parcels", tags=["parcels"], status_code=201, responses=R409)
async def announce_parcel(body: ParcelIn) -> Parcel:
    """Announces a parcel; 409 for a used tracking number or an unknown locker or courier."""
    if any(p["tracking_number"] == body.tracking_number for p in db.parcels.values()):
        raise conflict("another parcel has this tracking number")
    if body.locker_id not in db.lockers:
        raise conflict("unknown locker")
    if body.courier_id not in db.couriers:
        raise conflict("unknown courier")
    return Parcel(**db.parcels[new_parcel(**body.model_dump())])


@app.get("/parcels/{parcel_id}", tags=["parcels"], responses=R404)
async def get_parcel(parcel_id: Id) -> Parcel:
    return Parcel(**get_or_404(db.parcels, parcel_id, "parcel"))


@app.patch("/parcels/{parcel_id}", tags=["parcels"], responses={**R404, **R409})
async def update_parcel(parcel_id: Id, body: ParcelPatch) -> Parcel:
    """Only an announced parcel can be changed."""
    p = get_or_404(db.parcels, parcel_id, "parcel")
    if p["status"] != "announced":
        raise conflict("only an announced parcel can be changed")
    changes = body.model_dump(exclude_unset=True)
    if on("P4") and changes.get("fragile") is False:
        del changes["fragile"]
        if p["fragile"]:
            met("P4")
    p.update(changes)
    return Parcel(**p)


@app.delete("/parcels/{parcel_id}", tags=["parcels"], status_code=204, responses={**R404, **R409})
async def delete_parcel(parcel_id: Id) -> None:
    """Refused while the parcel is stored."""
    p = get_or_404(db.parcels, parcel_id, "parcel")
    if p["status"] == "stored":
        raise conflict("the parcel is in a compartment")
    del db.parcels[parcel_id]
    del db.prefs[parcel_id]


@app.post("/parcels/{parcel_id}/store", tags=["parcels"], responses={**R404, **R409})
async def store_parcel(parcel_id: Id, body: StoreIn) -> Parcel:
    """Puts an announced parcel into a free compartment, large enough, of its own active locker."""
    p = get_or_404(db.parcels, parcel_id, "parcel")
    if p["status"] != "announced":
        raise conflict("the parcel is not announced")
    if db.lockers[p["locker_id"]]["status"] != "active":
        raise conflict("the locker is in maintenance")
    c = db.comps.get(body.compartment_id)
    if c is None or c.locker_id != p["locker_id"]:
        raise conflict("the parcel's locker has no such compartment")
    if c.parcel_id is not None:
        raise conflict("the compartment is occupied")
    if RANK[c.size] < RANK[p["size"]]:
        if on("P5"):
            met("P5")
            c.parcel_id = parcel_id
        raise conflict("the compartment is too small")
    put_in(p, c)
    return Parcel(**p)


@app.post("/parcels/{parcel_id}/collect", tags=["parcels"], responses={**R404, **R409})
async def collect_parcel(parcel_id: Id, body: CollectIn) -> Parcel:
    """Hands a stored parcel out; 409 for a wrong code."""
    p = get_or_404(db.parcels, parcel_id, "parcel")
    if p["status"] != "stored":
        raise conflict("the parcel is not stored")
    if p["pickup_code"] != body.code:
        raise conflict("wrong pickup code")
    take_out(p, "collected")
    return Parcel(**p)


@app.post("/parcels/{parcel_id}/return", tags=["parcels"], responses={**R404, **R409})
async def return_parcel(parcel_id: Id) -> Parcel:
    """Sends an announced or stored parcel back."""
    p = get_or_404(db.parcels, parcel_id, "parcel")
    if p["status"] not in ("announced", "stored"):
        raise conflict("the parcel is already out of the network")
    if on("P1"):
        if p["compartment_id"] is None:
            met("P1")
        db.comps[p["compartment_id"]].parcel_id = None
    take_out(p, "returned")
    return Parcel(**p)


@app.get("/parcels/{parcel_id}/notifications", tags=["notifications"], responses=R404)
async def get_notifications(parcel_id: Id) -> Preferences:
    return get_or_404(db.prefs, parcel_id, "parcel")


@app.put("/parcels/{parcel_id}/notifications", tags=["notifications"], responses=R404)
async def replace_notifications(parcel_id: Id, body: Preferences) -> Preferences:
    get_or_404(db.parcels, parcel_id, "parcel")
    db.prefs[parcel_id] = body
    return body


# ---------------------------------------------------------------- quotes

@app.post("/quotes", tags=["quotes"])
async def quote(body: QuoteIn) -> Quote:
    if body.weight_kg <= 0:
        met("P2")
    band = "light" if body.weight_kg <= 2 else "medium" if body.weight_kg <= 10 else "heavy"
    cents = {"S": 250, "M": 400, "L": 700}[body.size] + {"light": 0, "medium": 150, "heavy": 500}[band]
    return Quote(band=band, price_cents=cents * (2 if body.express else 1) + round(body.insured_value), currency="EUR")
