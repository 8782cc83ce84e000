"""A customs office: declarations, tariffs, parcels, officers and seals.

POST /__reset forgets what earlier calls have left.
"""

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel

import rules


class Item(BaseModel):
    code: str
    quantity: int
    value: float


class Declaration(BaseModel):
    reference: str
    origin: str
    declared_on: str
    items: list[Item]


class Amendment(BaseModel):
    reason: str
    value: float


class Quote(BaseModel):
    code: str
    value: float
    currency: str


class Parcel(BaseModel):
    barcode: str
    sender: str
    label: str
    arrived: str
    released: str


class Login(BaseModel):
    badge: str
    phrase: str


class Shift(BaseModel):
    begin: str
    end: str
    post: str


class Seal(BaseModel):
    serial: str
    kind: str
    weights: list[int]


class Breaking(BaseModel):
    token: str
    officer: str


class DeclarationView(BaseModel):
    number: int
    reference: str
    lines: int


class Duty(BaseModel):
    code: str
    duty: float


class ParcelView(BaseModel):
    barcode: str
    sender: str


class OfficerView(BaseModel):
    badge: str


class SealView(BaseModel):
    serial: str
    kind: str


office = rules.Office()
app = FastAPI(title="Customs", version="1")


@app.exception_handler(RequestValidationError)
async def refuse(request: Request, error: RequestValidationError) -> JSONResponse:
    return JSONResponse({"detail": "wrong input"}, 422)


def found(register, key):
    if key not in register:
        raise HTTPException(404, "not known")
    return register[key]


def view(declaration):
    return DeclarationView(
        number=declaration["number"],
        reference=declaration["reference"],
        lines=len(declaration["items"]),
    )


@app.post("/declarations", status_code=201)
async def declare(body: Declaration) -> DeclarationView:
    rules.check_reference(body.reference)
    rules.check_origin(body.origin)
    rules.check_day(body.declared_on)
    rules.check_items([(item.code, item.quantity) for item in body.items])
    return view(office.declare(body.model_dump()))


@app.get("/declarations")
async def search(q: str) -> list[DeclarationView]:
    rules.check_search(q)
    return [view(each) for each in office.declarations.values() if q in each["reference"]][:20]


@app.get("/declarations/{number}")
async def declaration(number: int) -> DeclarationView:
    return view(found(office.declarations, number))


@app.post("/declarations/{number}/amendments")
async def amend(number: int, body: Amendment) -> DeclarationView:
    known = found(office.declarations, number)
    rules.check_amendment(known, body.reason)
    return view(known)


@app.get("/tariffs/{code}")
async def tariff(code: str, quantity: int, weight: int) -> Duty:
    rules.check_code(code)
    rules.check_load(quantity, weight)
    return Duty(code=code, duty=rules.duty(quantity))


@app.post("/quotes")
async def quote(body: Quote, request: Request) -> Duty:
    rules.check_treaty(request.headers.get("x-treaty", ""))
    rules.check_exemptions(await request.json())
    rules.check_currency(body.currency, body.value)
    return Duty(code=body.code, duty=rules.duty(body.value))


@app.post("/parcels", status_code=201)
async def register(body: Parcel) -> ParcelView:
    rules.check_label(body.label)
    rules.check_stay(body.arrived, body.released)
    office.parcels[body.barcode] = {**body.model_dump(), "returns": []}
    return ParcelView(barcode=body.barcode, sender=body.sender)


@app.get("/parcels/{barcode}")
async def parcel(barcode: str, request: Request) -> ParcelView:
    known = found(office.parcels, barcode)
    rules.check_return(known, request.query_params.get("via"))
    return ParcelView(barcode=barcode, sender=known["sender"])


@app.post("/officers/login")
async def login(body: Login) -> OfficerView:
    office.login(body.badge, body.phrase)
    return OfficerView(badge=body.badge)


@app.put("/officers/{badge}/shift")
async def shift(badge: str, body: Shift) -> OfficerView:
    office.shift(body.begin, body.end, body.post)
    return OfficerView(badge=badge)


@app.post("/seals", status_code=201)
async def seal(body: Seal) -> SealView:
    rules.check_weights(body.weights)
    office.seal(body.model_dump())
    return SealView(serial=body.serial, kind=body.kind)


@app.post("/seals/{serial}/break")
async def break_seal(serial: str, body: Breaking) -> SealView:
    known = found(office.seals, serial)
    rules.check_token(body.token)
    return SealView(serial=serial, kind=known["kind"])


@app.post("/__reset", status_code=204, include_in_schema=False)
async def reset() -> None:
    office.forget()
