"""Gates of every kind as a REST service; what opens them is in `gates.py`.

The document tells plain types, and nothing of the header, parameter and fields that are looked at
beside. POST /__reset forgets what earlier calls have left.
"""

from fastapi import FastAPI, Request
from pydantic import BaseModel

import gates


class Gate(BaseModel):
    gate: str
    open: bool


class Order(BaseModel):
    item: str


class Profile(BaseModel):
    name: str


class Passwords(BaseModel):
    password: str
    repeated: str


class Import(BaseModel):
    document: str


class Basket(BaseModel):
    items: list[str]


class Transfer(BaseModel):
    account: str
    amount: int


class Ticket(BaseModel):
    ticket: int
    number: int


class Entry(BaseModel):
    amount: int


class Closing(BaseModel):
    total: int


class Valve(BaseModel):
    position: str


app = FastAPI(
    title="Gates",
    version="1.0",
    docs_url=None,
    redoc_url=None,
    redirect_slashes=False,
    responses={404: {"description": "A segment of the path is empty or has a slash"}},
)
memory = gates.Memory()


@app.get("/words")
async def words(word: str) -> Gate:
    return Gate(gate="text-equal", open=gates.text_equal(word))


@app.get("/animals")
async def animals(name: str) -> Gate:
    return Gate(gate="text-folded", open=gates.text_folded(name))


@app.get("/plates")
async def plates(plate: str) -> Gate:
    return Gate(gate="prefix-suffix", open=gates.prefix_suffix(plate))


@app.get("/notes")
async def notes(text: str) -> Gate:
    return Gate(gate="contains", open=gates.contains(text))


@app.get("/serials")
async def serials(serial: str) -> Gate:
    return Gate(gate="regex-whole", open=gates.regex_whole(serial))


@app.get("/versions")
async def versions(version: str) -> Gate:
    return Gate(gate="regex-groups", open=gates.regex_groups(version))


@app.get("/paints")
async def paints(paint: str) -> Gate:
    return Gate(gate="regex-alternatives", open=gates.regex_alternatives(paint))


@app.get("/codes/{code}")
async def codes(code: str) -> Gate:
    return Gate(gate="slice", open=gates.slice_of_text(code))


@app.get("/routes/{route}")
async def routes(route: str) -> Gate:
    return Gate(gate="split", open=gates.split(route))


@app.get("/birthdays")
async def birthdays(day: str) -> Gate:
    return Gate(gate="leap-day", open=gates.leap_day(day))


@app.get("/appointments")
async def appointments(at: str) -> Gate:
    return Gate(gate="weekday", open=gates.weekday(at))


@app.get("/stays")
async def stays(arrival: str, departure: str) -> Gate:
    return Gate(gate="date-after", open=gates.date_after(arrival, departure))


@app.get("/numbers/{number}")
async def numbers(number: int) -> Gate:
    return Gate(gate="big-integer", open=gates.big_integer(number))


@app.get("/rectangles")
async def rectangles(width: int, height: int) -> Gate:
    return Gate(gate="sum-product", open=gates.sum_product(width, height))


@app.get("/cards/{card}")
async def cards(card: str) -> Gate:
    return Gate(gate="checksum", open=gates.checksum(card))


@app.get("/temperatures")
async def temperatures(celsius: float) -> Gate:
    return Gate(gate="float-range", open=gates.float_range(celsius))


@app.get("/fees")
async def fees(country: str, weight: int) -> Gate:
    return Gate(gate="table-code", open=gates.table_code(country, weight))


@app.get("/airports/{airport}")
async def airports(airport: str) -> Gate:
    return Gate(gate="member", open=gates.member(airport))


@app.get("/sizes")
async def sizes(size: str) -> Gate:
    return Gate(gate="enum-name", open=gates.enum_name(size))


@app.get("/commands")
async def commands(command: str, argument: int) -> Gate:
    return Gate(gate="cases", open=gates.cases(command, argument))


@app.post("/passwords")
async def passwords(body: Passwords) -> Gate:
    return Gate(gate="inputs-equal", open=gates.inputs_equal(body.password, body.repeated))


@app.get("/mirrors")
async def mirrors(left: str, right: str) -> Gate:
    return Gate(gate="inputs-reversed", open=gates.inputs_reversed(left, right))


@app.get("/labels")
async def labels(name: str, label: str) -> Gate:
    return Gate(gate="inputs-upper", open=gates.inputs_upper(name, label))


@app.get("/tokens")
async def tokens(token: str) -> Gate:
    return Gate(gate="base64-json", open=gates.base64_json(token))


@app.post("/imports")
async def imports(body: Import) -> Gate:
    return Gate(gate="json-text", open=gates.json_text(body.document))


@app.get("/devices/{device}")
async def devices(device: str) -> Gate:
    return Gate(gate="uuid-version", open=gates.uuid_version(device))


@app.post("/baskets")
async def baskets(body: Basket) -> Gate:
    return Gate(gate="array", open=gates.array(body.items))


@app.get("/loans")
async def loans(amount: int, months: int, purpose: str, grade: str) -> Gate:
    opens = gates.four_conditions(amount, months, purpose, grade)
    return Gate(gate="four-conditions", open=opens)


@app.get("/reports")
async def reports(request: Request) -> Gate:
    gate = Gate(gate="header", open=False)
    if request.headers.get("x-audit-mode") == "full":
        gate.open = True  # gate: header
    return gate


@app.get("/listings")
async def listings(page: int, request: Request) -> Gate:
    gate = Gate(gate="query", open=False)
    if request.query_params.get("debug") == "timing":
        gate.open = True  # gate: query
    return gate


@app.post("/orders")
async def orders(order: Order, request: Request) -> Gate:
    gate = Gate(gate="field", open=False)
    told = await request.json()
    if told.get("voucher") == "SPRING-11":
        gate.open = True  # gate: field
    return gate


@app.post("/profiles")
async def profiles(profile: Profile, request: Request) -> Gate:
    gate = Gate(gate="nested-field", open=False)
    settings = (await request.json()).get("settings")
    theme = settings.get("theme") if isinstance(settings, dict) else None
    if isinstance(theme, dict) and theme.get("accent") == "teal":
        gate.open = True  # gate: nested-field
    return gate


@app.post("/transfers")
async def transfers(transfer: Transfer, request: Request) -> Gate:
    gate = Gate(gate="header-body", open=False)
    if len(transfer.account) >= 6 and request.headers.get("x-account") == transfer.account:
        gate.open = True  # gate: header-body
    return gate


@app.post("/tickets")
async def draw_ticket() -> Ticket:
    ticket, number = memory.draw()
    return Ticket(ticket=ticket, number=number)


@app.get("/raffle")
async def raffle(first: int, second: int, total: int) -> Gate:
    return Gate(gate="sum-of-answers", open=memory.sum_of_answers(first, second, total))


@app.post("/ledgers/{ledger}/entries")
async def add_entry(ledger: str, body: Entry) -> Gate:
    memory.enter(ledger, body.amount)
    return Gate(gate="stored-sum", open=False)


@app.post("/ledgers/{ledger}/closing")
async def close_ledger(ledger: str, body: Closing) -> Gate:
    return Gate(gate="stored-sum", open=memory.stored_sum(ledger, body.total))


@app.put("/valves/{valve}")
async def turn_valve(valve: str, body: Valve) -> Gate:
    memory.turn(valve, body.position)
    return Gate(gate="state", open=False)


@app.get("/valves/{valve}/flow")
async def valve_flow(valve: str) -> Gate:
    return Gate(gate="state", open=memory.state(valve))


@app.post("/bells/{bell}/rings")
async def ring_bell(bell: str) -> Gate:
    return Gate(gate="counter", open=memory.counter(bell))


@app.post("/__reset", include_in_schema=False)
async def reset() -> None:
    memory.__init__()
