#!/usr/bin/env python3
"""usage: check.py [SERVICE ...]

Starts the customs office in each language, or only those that are named, and opens each gate and
meets each fault by the inputs of GATES.md. With CUSTOMS_REMARKS in its environment, a service tells
on stderr which gates were opened.
"""

import base64
import json
import pathlib
import sys
import tempfile
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from running import Service

SERVICES = ("python", "node", "java")


def call(service, method, path, body=None, headers={}):
    """The status of the answer."""
    text = "" if body is None else json.dumps(body)
    headers = {"Content-Type": "application/json", **headers}
    return service.send(method, path, headers, text)[0]


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


def problems_of(service, remarks):
    """What does not happen as it should; remarks are told in a file."""
    for name, steps in STEPS.items():
        call(service, "POST", "/__reset")
        earlier = remarks.read_text().splitlines()
        statuses = [call(service, *step) for step in steps]
        told = remarks.read_text().splitlines()[len(earlier) :]
        if name.startswith("fault"):
            expected = statuses[-1] == 500
        else:
            expected = max(statuses) < 300 and told == [f"remark {name}"]
        if not expected:
            yield f"{service.folder.name}: {name}: {statuses} {told}"


def main():
    problems = []
    names = sys.argv[1:] or SERVICES
    for name in names:
        with tempfile.NamedTemporaryFile() as errors:
            with Service(HERE / name, errors, CUSTOMS_REMARKS="1") as service:
                problems += problems_of(service, pathlib.Path(errors.name))
    print("\n".join(problems) or f"customs: {len(STEPS)} gates and faults of {', '.join(names)}")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
