"""usage: check.py BASE_URL
Opens each gate, and meets each fault, by the inputs of GATES.md; prints the HTTP status of each.
With CUSTOMS_REMARKS=1 in its environment, the service tells on stderr which gates were opened."""

import base64
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

BASE = sys.argv[1].rstrip("/")


def call(method, path, body=None, headers={}):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        BASE + path, data, {"Content-Type": "application/json", **headers}, method=method
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def item(code, quantity):
    return {"code": code, "quantity": quantity, "value": 1.5}


def declare(**fields):
    plain = {"reference": "abc", "origin": "x", "declared_on": "x", "items": []}
    return ("POST", "/declarations", {**plain, **fields})


def quote(headers={}, **fields):
    return ("POST", "/quotes", {"code": "a", "value": 1, "currency": "EUR", **fields}, headers)


def parcel(**fields):
    plain = {"barcode": "p1", "sender": "s", "label": "l", "arrived": "x", "released": "x"}
    return ("POST", "/parcels", {**plain, **fields})


def seal(**fields):
    return ("POST", "/seals", {"serial": "s1", "kind": "wire", "weights": [], **fields})


def shift(begin, end, post):
    return ("PUT", "/officers/o1/shift", {"begin": begin, "end": end, "post": post})


LABEL = "b64," + base64.b64encode(b'{"hazard": 8}').decode()
STEPS = {
    "MIRRORED_REFERENCE": [declare(reference="DE-123/321")],
    "CROWN_ORIGIN": [declare(origin=" Isle-of  MAN. ")],
    "LEAP_SUNDAY": [declare(declared_on="2032-02-29")],
    "DWINDLING_ITEMS": [declare(items=[item("1", 9), item("2", 5), item("9901", 2)])],
    "RAIL_LANE": [("GET", "/declarations?q=" + urllib.parse.quote("office: bsl; lane: 7"))],
    "QUOTED_REFERENCE": [
        declare(reference="abc"),
        ("POST", "/declarations/1/amendments", {"reason": "Re: abc, late", "value": 1}),
    ],
    "ARMS_SUBHEADING": [("GET", "/tariffs/931000?quantity=1&weight=1")],
    "ODD_LOAD": [("GET", "/tariffs/1?quantity=86&weight=9")],
    "LOME_TREATY": [quote({"X-Treaty": "lome/3"})],
    "CONSULAR_WAIVER": [quote(exemptions={"diplomatic": {"mission": "consular"}})],
    "DRAWING_RIGHTS": [quote(currency="XDR", value=5100)],
    "HAZARD_LABEL": [parcel(label=LABEL)],
    "QUARANTINE": [parcel(arrived="2024-02-01", released="2024-03-12")],
    "LOCKED_BADGE": [("POST", "/officers/login", {"badge": "77#", "phrase": "no"})] * 4,
    "BALANCED_SEAL": [seal(weights=[10, 20, 40, 30])],
    "ALARMED_BOLT": [shift("", "", " Border Zero"), seal(kind="bolt")],
    "fault NO_RETURN": [
        parcel(arrived="2024-02-02", released="2024-02-01"),
        ("GET", "/parcels/p1?via=return"),
    ],
    "fault UNKNOWN_SIGNER": [
        seal(),
        ("POST", "/seals/s1/break", {"token": "v2.x.k9", "officer": "o"}),
    ],
    "fault NO_RELIEF": [shift("22:00", "06:00", "night/gate")],
}

wrong = 0
for name, steps in STEPS.items():
    call("POST", "/__reset")
    statuses = [call(*step)[0] for step in steps]
    expected = statuses[-1] == 500 if name.startswith("fault") else max(statuses) < 300
    wrong += not expected
    print(name, *statuses, "" if expected else "UNEXPECTED")
sys.exit(wrong > 0)
