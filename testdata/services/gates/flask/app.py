"""Some of the gates in another framework; what opens them is in `../python/gates.py`.

The document tells plain types, and nothing of the header, cookie, parameter and fields that are
looked at beside. POST /__reset forgets what earlier calls have left.
"""

import json
import logging
import pathlib

from flask import Flask, abort, request

import gates

DOCUMENT = json.loads(pathlib.Path(__file__).with_name("openapi.json").read_text())

logging.getLogger("werkzeug").setLevel(logging.ERROR)  # or it tells of each request
app = Flask(__name__)
app.url_map.merge_slashes = False
memory = gates.Memory()


def gate(name: str, opens: bool) -> dict:
    return {"gate": name, "open": opens}


def text(name: str) -> str:
    return told(request.args.get(name), str)


def integer(name: str) -> int:
    return told(request.args.get(name, type=int), int)


def body() -> dict:
    return told(request.get_json(silent=True), dict)


def field(name: str, kind: type):
    return told(body().get(name), kind)


def told(value, kind: type):
    """A value of the right type; a 400 for any other."""
    if not isinstance(value, kind) or isinstance(value, bool):
        abort(400)
    return value


@app.get("/openapi.json")
def document():
    return DOCUMENT


@app.get("/words")
def words():
    return gate("text-equal", gates.text_equal(text("word")))


@app.get("/versions")
def versions():
    return gate("regex-groups", gates.regex_groups(text("version")))


@app.get("/codes/<code>")
def codes(code: str):
    return gate("slice", gates.slice_of_text(code))


@app.get("/birthdays")
def birthdays():
    return gate("leap-day", gates.leap_day(text("day")))


@app.get("/numbers/<number>")
def numbers(number: str):
    try:
        return gate("big-integer", gates.big_integer(int(number)))
    except ValueError:
        abort(400)


@app.get("/fees")
def fees():
    return gate("table-code", gates.table_code(text("country"), integer("weight")))


@app.get("/commands")
def commands():
    return gate("cases", gates.cases(text("command"), integer("argument")))


@app.get("/mirrors")
def mirrors():
    return gate("inputs-reversed", gates.inputs_reversed(text("left"), text("right")))


@app.get("/tokens")
def tokens():
    return gate("base64-json", gates.base64_json(text("token")))


@app.post("/baskets")
def baskets():
    items = [told(item, str) for item in field("items", list)]
    return gate("array", gates.array(items))


@app.get("/reports")
def reports():
    if request.headers.get("X-Audit-Mode") == "full":
        return gate("header", True)  # gate: header
    return gate("header", False)


@app.get("/listings")
def listings():
    integer("page")
    if request.args.get("debug") == "timing":
        return gate("query", True)  # gate: query
    return gate("query", False)


@app.post("/orders")
def orders():
    field("item", str)
    if body().get("voucher") == "SPRING-11":
        return gate("field", True)  # gate: field
    return gate("field", False)


@app.get("/greetings")
def greetings():
    if request.cookies.get("beta") == "otter":
        return gate("cookie", True)  # gate: cookie
    return gate("cookie", False)


@app.post("/claims")
def claims():
    told(request.form.get("reason"), str)
    if request.form.get("channel") == "fax":
        return gate("form", True)  # gate: form
    return gate("form", False)


@app.post("/transfers")
def transfers():
    account = field("account", str)
    field("amount", int)
    if len(account) >= 6 and request.headers.get("X-Account") == account:
        return gate("header-body", True)  # gate: header-body
    return gate("header-body", False)


@app.post("/ledgers/<ledger>/entries")
def add_entry(ledger: str):
    memory.enter(ledger, field("amount", int))
    return gate("stored-sum", False)


@app.post("/ledgers/<ledger>/closing")
def close_ledger(ledger: str):
    return gate("stored-sum", memory.stored_sum(ledger, field("total", int)))


@app.post("/bells/<bell>/rings")
def ring_bell(bell: str):
    return gate("counter", memory.counter(bell))


@app.post("/__reset")
def reset():
    memory.__init__()
    return {}
