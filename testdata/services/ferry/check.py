"""usage: python3 check.py [PORT]. Starts the service by itself, on 127.0.0.1, one after the other.

Plays the sequence of each fault of FAULTS.md: with FAULTS=all and with that fault alone it must show, with
none it must not. Then walks at random, but always the same way, over the service without faults, and holds
every answer against the document and against a plain copy of the rules.
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from datetime import date
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 26411
STEPS = 6000
HERE = Path(__file__).resolve().parent
ADULT = {"name": "Ann", "kind": "adult"}
CHILD = {"name": "Bo", "kind": "child"}
SEEDED = "0d9e1f0a-52c3-4a34-8f14-6f3b7c2b1a0{}".format


class Service:
    def __init__(self, faults: str) -> None:
        env = os.environ | {"FAULTS": faults}
        self.process = subprocess.Popen([HERE / "start.sh", str(PORT)], env=env, stderr=subprocess.DEVNULL)
        self.line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        for _ in range(600):
            try:
                self.call("POST", "/__reset")
                return
            except OSError:
                self.line.close()
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.stop()
        raise SystemExit("does not start")

    def call(self, method: str, path: str, body: object = None, raw: bytes | None = None):
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data is not None else {}
        start = time.perf_counter()
        self.line.request(method, path, data, headers)
        answer = self.line.getresponse()
        text = answer.read()
        self.took = time.perf_counter() - start
        if answer.status == 500:  # uvicorn hangs up after a crash
            self.line.close()
        is_json = text and answer.getheader("content-type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text.decode()

    def made(self, path: str, body: object):
        status, made = self.call("POST", path, body)
        assert status == 201, (path, body, status, made)
        return made

    def moved(self, sailing: int, status: str):
        got, answer = self.call("POST", f"/sailings/{sailing}/status", {"status": status})
        assert (got, answer["status"]) == (200, status), (got, answer)

    def all_of(self, path: str) -> list[dict]:
        """What a list that pages by limit and offset has on all its pages."""
        got = []
        while True:
            status, page = self.call("GET", f"{path}{'&' if '?' in path else '?'}limit=100&offset={len(got)}")
            assert status == 200, (path, status, page)
            got += page["items"]
            if not page["items"] or len(got) >= page["total"]:
                assert len(got) == page["total"], (path, len(got), page["total"])
                return got

    def all_sailings(self) -> list[dict]:
        got, number = [], 1
        while True:
            _, page = self.call("GET", f"/sailings?pageSize=50&page={number}")
            got += page["items"]
            number += 1
            if number > page["pageCount"]:
                assert len(got) == page["total"], (len(got), page["total"])
                return got

    def stop(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait()


def sailing_body(**other) -> dict:
    calls = [{"portCode": "KEL", "stayMinutes": 0}, {"portCode": "TUR", "stayMinutes": 0}]
    day = "2031-01-01"
    return {"shipId": 1, "calls": calls, "departsOn": day, "arrivesOn": day, "fareCents": 100} | other


# Each gives whether the fault shows (True) or all is right (False); anything else fails.
def either(got, faulty, right):
    assert got in (faulty, right), got
    return got == faulty


def leap_day(service: Service) -> bool:
    body = {"name": "Leap", "passengerCapacity": 1, "commissionedOn": "2024-02-29"}
    status, made = service.call("POST", "/ships", body)
    if status == 201:
        assert made["nextSurveyOn"] == "2029-02-28", made
    patched, _ = service.call("PATCH", "/ships/1", {"commissionedOn": "2020-02-29"})
    assert service.call("PATCH", "/ships/1", {"commissionedOn": "2020-02-28"})[0] == 200
    return either((status, patched), (500, 500), (201, 200))


def port_of_deleted_sailing(service: Service) -> bool:
    key = service.made("/sailings", sailing_body())["id"]
    assert service.call("DELETE", "/ports/TUR")[0] == 409
    assert service.call("DELETE", f"/sailings/{key}")[0] == 204
    return either(service.call("DELETE", "/ports/TUR")[0], 500, 204)


def half_cents(service: Service) -> bool:
    made = service.made("/sailings/3/bookings", {"passengers": [CHILD]})
    even = service.made("/sailings/3/bookings", {"passengers": [CHILD, CHILD]})
    assert repr(even["priceCents"]) == "1995", even
    return either(repr(made["priceCents"]), "997.5", "997")


def deleted_port_in_country(service: Service) -> bool:
    assert service.call("DELETE", "/ports/TUR")[0] == 204
    assert service.call("GET", "/ports/TUR")[0] == 404
    assert "TUR" not in {one["code"] for one in service.all_of("/ports")}
    return either([one["code"] for one in service.all_of("/ports?country=FI")], ["TUR"], [])


def null_ignored(service: Service) -> bool:
    status, answer = service.call("PATCH", "/ships/1", {"callSign": None})
    assert status == 200 and service.call("GET", "/ships/1")[1] == answer
    return either(answer["callSign"], "LAXQ", None)


def tickets_left(service: Service) -> bool:
    body = {"bookingId": SEEDED(2), "passengerNumbers": [1, 3]}
    assert service.call("POST", "/tickets", body)[0] == 422
    left = [one["passengerNumber"] for one in service.all_of(f"/tickets?bookingId={SEEDED(2)}")]
    body = {"bookingId": SEEDED(5), "passengerNumbers": [2, 1]}
    assert service.call("POST", "/tickets", body)[0] == 409
    count = service.call("GET", f"/sailings/4/bookings/{SEEDED(5)}")[1]["ticketCount"]
    return either((left, count), ([1], 2), ([], 1))


def page_too_many(service: Service) -> bool:
    counts = [service.call("GET", f"/sailings?pageSize={size}")[1]["pageCount"] for size in (3, 4, 5)]
    empty = service.call("GET", "/sailings?shipId=999")[1]["pageCount"]
    return either((counts, empty), ([3, 2, 2], 1), ([2, 2, 2], 0))


def false_ignored(service: Service) -> bool:
    assert len(service.all_of("/sailings/2/bookings?withVehicle=true")) == 1
    got = [one["id"] for one in service.all_of("/sailings/2/bookings?withVehicle=false")]
    return either(got, [SEEDED(2), SEEDED(3)], [SEEDED(3)])


def deleted_elsewhere(service: Service) -> bool:
    assert service.call("GET", f"/sailings/3/bookings/{SEEDED(2)}")[0] == 404
    deleted, _ = service.call("DELETE", f"/sailings/3/bookings/{SEEDED(2)}")
    left, _ = service.call("GET", f"/sailings/2/bookings/{SEEDED(2)}")
    return either((deleted, left), (204, 404), (404, 200))


def changed_when_closed(service: Service) -> bool:
    service.moved(2, "closed")
    assert service.call("POST", "/sailings/2/bookings", {"passengers": [ADULT]})[0] == 409
    return either(service.call("PUT", f"/sailings/2/bookings/{SEEDED(3)}", {"passengers": [ADULT]})[0], 200, 409)


def not_reopened(service: Service) -> bool:
    service.moved(4, "open")
    return either(service.call("GET", "/sailings/4")[1]["status"], "closed", "open")


def slow_search(service: Service) -> bool:
    assert service.call("GET", f"/ports?q={'x' * 40}")[0] == 200 and service.took < 0.8, service.took
    assert service.call("GET", f"/ports?q={'x' * 41}")[0] == 200
    return service.took > 1


SHOWS = {
    "F1": leap_day, "F2": port_of_deleted_sailing, "F3": half_cents, "F4": deleted_port_in_country,
    "F5": null_ignored, "F6": tickets_left, "F7": page_too_many, "F8": false_ignored,
    "F9": deleted_elsewhere, "F10": changed_when_closed, "F11": not_reopened, "F12": slow_search,
}


def play(faults: str, expected: dict[str, bool]) -> None:
    service = Service(faults)
    try:
        for fault, should_show in expected.items():
            service.call("POST", "/__reset")
            shown = SHOWS[fault](service)
            met = service.call("GET", "/__stats")[1]["stats"][fault]
            assert shown == should_show == (met > 0), f"{fault} with FAULTS={faults}: shown {shown}, met {met}"
    finally:
        service.stop()


class Document:
    """The OpenAPI document, as far as answers have to keep to it."""

    def __init__(self, text: dict) -> None:
        self.text = text
        self.paths = [
            (re.compile(re.sub(r"\{[^}]+\}", "[^/]+", path)), operations)
            for path, operations in text["paths"].items()
        ]

    def check(self, method: str, path: str, status: int, answer: object) -> None:
        operations = next(one for pattern, one in self.paths if pattern.fullmatch(path.partition("?")[0]))
        declared = operations[method.lower()]["responses"]
        assert str(status) in declared, f"{method} {path}: {status} is not declared"
        content = declared[str(status)].get("content")
        if content is None:
            assert answer == "", answer
        else:
            self.fits(answer, content["application/json"]["schema"], f"{method} {path}")

    def fits(self, value: object, schema: dict, where: str) -> None:
        if "$ref" in schema:
            schema = self.text["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        if "anyOf" in schema:
            schema = next(one for one in schema["anyOf"] if (one.get("type") == "null") == (value is None))
            return self.fits(value, schema, where)
        kinds = {"object": dict, "array": list, "string": str, "integer": int, "null": type(None)}
        assert type(value) is kinds[schema["type"]], (where, value, schema)
        if isinstance(value, dict):
            self.object_fits(value, schema, where)
        elif isinstance(value, list):
            assert schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)), (where, value)
            for place, one in enumerate(value):
                self.fits(one, schema["items"], f"{where}.{place}")
        elif isinstance(value, str):
            string_fits(value, schema, where)
        elif isinstance(value, int):
            assert schema.get("minimum", value) <= value <= schema.get("maximum", value), (where, value)

    def object_fits(self, value: dict, schema: dict, where: str) -> None:
        assert set(schema["required"]) <= set(value) <= set(schema["properties"]), (where, value)
        for key, one in value.items():
            self.fits(one, schema["properties"][key], f"{where}.{key}")


def string_fits(value: str, schema: dict, where: str) -> None:
    assert schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)), (where, value)
    assert value in schema.get("enum", [value]), (where, value)
    assert re.search(schema.get("pattern", ""), value), (where, value)
    if schema.get("format") == "date":
        assert date.fromisoformat(value).isoformat() == value, (where, value)


class Walk:
    """Goes at random over a service without faults, and knows what each step has to give."""

    CODES = ("GOT", "KEL", "OSL", "ROS", "TRE", "TUR", "AAR", "VIS", "ZZZ")
    DAYS = ("2030-05-03", "2031-02-28", "2032-02-29", "2031-12-31", "0001-01-01", "9999-12-31")
    NAMES = ("a", "Ä" * 40, "Nordlys", "\u0000", "船", "🚢 x", " ", "x" * 41)
    MOVES = {
        "draft": {"open", "cancelled"}, "open": {"closed", "cancelled"},
        "closed": {"open", "departed", "cancelled"}, "departed": set(), "cancelled": set(),
    }

    def __init__(self, service: Service) -> None:
        self.service = service
        self.random = random.Random(7)
        self.document = Document(service.call("GET", "/openapi.json")[1])
        self.statuses: dict[tuple[str, int], int] = {}
        service.call("POST", "/__reset")
        self.look()

    def call(self, method: str, path: str, body: object = None):
        status, answer = self.service.call(method, path, body)
        self.document.check(method, path, status, answer)
        return status, answer

    def look(self) -> None:
        self.ports = {one["code"]: one for one in self.service.all_of("/ports")}
        self.ships = {one["id"]: one for one in self.service.all_of("/ships")}
        self.sailings = {one["id"]: one for one in self.service.all_sailings()}
        self.bookings = {
            one["id"]: one for key in self.sailings for one in self.service.all_of(f"/sailings/{key}/bookings")
        }
        self.tickets = {one["number"]: one for one in self.service.all_of("/tickets")}

    def state(self) -> tuple:
        return tuple(map(dict, (self.ports, self.ships, self.sailings, self.bookings, self.tickets)))

    def maybe(self, chance: float = 0.5) -> bool:
        return self.random.random() < chance

    def some(self, things) -> object:
        return self.random.choice(list(things))

    def some_key(self, shelf: dict, strange: object):
        return strange if not shelf or self.maybe(0.05) else self.some(shelf)

    def run(self, steps: int) -> None:
        actions = (
            self.create_port, self.delete_port, self.create_ship, self.update_ship, self.create_sailing,
            self.delete_sailing, self.change_status, self.book, self.book, self.replace, self.cancel, self.issue,
        )
        for step in range(steps):
            if self.maybe(0.4):
                self.read()
                continue
            action = self.some(actions)
            expected, status = action()
            self.statuses[action.__name__, status] = self.statuses.get((action.__name__, status), 0) + 1
            assert status == expected, f"step {step}: {action.__name__} gave {status}, not {expected}"
            if step % 40 == 0:
                self.compare()
        self.compare()

    def compare(self) -> None:
        """What the lists tell must be what the steps should have led to."""
        kept = self.state()
        self.look()
        assert kept == self.state(), "the state is not what it should be"

    def create_port(self):
        body = {
            "code": self.some(self.CODES), "name": self.some(self.NAMES), "berths": self.random.randint(0, 20),
            "country": self.some(("DE", "DK", "FI", "SE")),
        }
        status, answer = self.call("POST", "/ports", body)
        expected = 422 if body["berths"] < 1 else 409 if body["code"] in self.ports else 201
        if status == 201:
            assert answer == body
            self.ports[body["code"]] = body
        return expected, status

    def delete_port(self):
        code = self.some(self.CODES)
        status, _ = self.call("DELETE", f"/ports/{code}")
        used = any(call["portCode"] == code for one in self.sailings.values() for call in one["calls"])
        expected = 404 if code not in self.ports else 409 if used else 204
        if status == 204:
            del self.ports[code]
        return expected, status

    def ship_fields(self) -> dict:
        return {
            "name": self.some((*self.NAMES, f"ship {self.random.random()}")),
            "callSign": self.some((None, "ABCD")), "passengerCapacity": self.some((0, 1, 3, 12, 3000)),
            "laneMetres": self.some((0, 25, 40, 4000)),
            "commissionedOn": self.some((None, "1949-12-31", "1950-01-01", "2024-02-29", "2099-12-31")),
        }

    def ship_expected(self, fields: dict, key: int | None) -> int | None:
        bad = len(fields.get("name", "")) > 40 or fields.get("passengerCapacity") == 0
        if bad or fields.get("commissionedOn") == "1949-12-31":
            return 422
        taken = any(one["name"] == fields.get("name") and one["id"] != key for one in self.ships.values())
        return 409 if taken else None

    @staticmethod
    def survey(day: str | None) -> str | None:
        return day and f"{int(day[:4]) + 5}{day[4:]}".replace("-02-29", "-02-28")

    def create_ship(self):
        body = {key: value for key, value in self.ship_fields().items() if self.maybe(0.9)}
        missing = not {"name", "passengerCapacity"} <= set(body)
        status, answer = self.call("POST", "/ships", body)
        expected = 422 if missing else self.ship_expected(body, None) or 201
        if status == 201:
            full = {"callSign": None, "laneMetres": 0, "commissionedOn": None} | body
            assert answer == {"id": answer["id"], **full, "nextSurveyOn": self.survey(full["commissionedOn"])}
            assert answer["id"] not in self.ships
            self.ships[answer["id"]] = answer
        return expected, status

    def fits_booked(self, ship: dict) -> bool:
        old = self.ships[ship["id"]]
        places = ship["passengerCapacity"] - old["passengerCapacity"]
        lane = ship["laneMetres"] - old["laneMetres"]
        theirs = [one for one in self.sailings.values() if one["shipId"] == ship["id"]]
        return all(one["freePlaces"] + places >= 0 and one["freeLaneMetres"] + lane >= 0 for one in theirs)

    def update_ship(self):
        key = self.some_key(self.ships, 2**53)
        body = {field: value for field, value in self.ship_fields().items() if self.maybe(0.3)}
        status, answer = self.call("PATCH", f"/ships/{key}", body)
        expected = self.ship_expected(body, key)
        if key not in self.ships:
            return 422 if expected == 422 else 404, status
        changed = {**self.ships[key], **body}
        changed["nextSurveyOn"] = self.survey(changed["commissionedOn"])
        if expected is None:
            expected = 200 if self.fits_booked(changed) else 409
        if status == 200:
            assert answer == changed, (answer, changed)
            self.ships[key] = changed
            self.count_free(one for one in self.sailings.values() if one["shipId"] == key)
        return expected, status

    def count_free(self, sailings) -> None:
        for sailing in list(sailings):
            ship = self.ships[sailing["shipId"]]
            theirs = [one for one in self.bookings.values() if one["sailingId"] == sailing["id"]]
            places = ship["passengerCapacity"] - sum(len(one["passengers"]) for one in theirs)
            lane = ship["laneMetres"] - sum(one["vehicle"]["lengthMetres"] for one in theirs if one["vehicle"])
            counts = {"bookingCount": len(theirs), "freePlaces": places, "freeLaneMetres": lane}
            self.sailings[sailing["id"]] = {**sailing, **counts}

    def create_sailing(self):
        codes = [self.some(self.CODES) for _ in range(self.random.randint(2, 4))]
        body = {
            "shipId": self.some_key(self.ships, 2**53), "departsOn": self.some(self.DAYS),
            "calls": [{"portCode": code, "stayMinutes": 240} for code in codes],
            "arrivesOn": self.some(self.DAYS), "fareCents": self.random.randint(0, 9),
        }
        if self.maybe():
            body["laneMetreCents"] = 7
        status, answer = self.call("POST", "/sailings", body)
        if status == 201:
            self.new_sailing(answer, body)
        return self.sailing_expected(body, codes, answer), status

    def sailing_expected(self, body: dict, codes: list[str], answer: dict) -> int:
        twice = any(one == other for one, other in zip(codes, codes[1:]))
        strange = body["shipId"] not in self.ships or not set(codes) <= set(self.ports)
        if twice or strange or body["arrivesOn"] < body["departsOn"]:
            return 422
        busy = any(
            one["shipId"] == body["shipId"] and one["departsOn"] == body["departsOn"]
            and one["status"] != "cancelled" and one["id"] != answer.get("id")
            for one in self.sailings.values()
        )
        return 409 if busy else 201

    def new_sailing(self, answer: dict, body: dict) -> None:
        ship = self.ships[body["shipId"]]
        assert answer["id"] not in self.sailings
        assert answer == {
            "laneMetreCents": 0, **body, "id": answer["id"], "status": "draft", "cancelReason": None,
            "bookingCount": 0, "freePlaces": ship["passengerCapacity"], "freeLaneMetres": ship["laneMetres"],
        }
        self.sailings[answer["id"]] = answer

    def delete_sailing(self):
        key = self.some_key(self.sailings, 2**53)
        status, _ = self.call("DELETE", f"/sailings/{key}")
        expected = 404 if key not in self.sailings else 409 if self.sailings[key]["status"] != "draft" else 204
        if status == 204:
            del self.sailings[key]
        return expected, status

    def change_status(self):
        key = self.some_key(self.sailings, 2**53)
        target = self.some(("open", "open", "open", "closed", "departed", "cancelled"))
        reason = "r" if (target == "cancelled") != self.maybe(0.1) else None
        status, answer = self.call("POST", f"/sailings/{key}/status", {"status": target, "reason": reason})
        if key not in self.sailings:
            return 404, status
        if (target == "cancelled") != (reason is not None):
            return 422, status
        allowed = target in self.MOVES[self.sailings[key]["status"]]
        if status == 200:
            self.sailings[key] = {**self.sailings[key], "status": target, "cancelReason": reason}
            assert answer == self.sailings[key]
        return 200 if allowed else 409, status

    def open_or_any(self) -> int:
        opened = [key for key, one in self.sailings.items() if one["status"] == "open"]
        return self.some(opened) if opened and self.maybe(0.8) else self.some_key(self.sailings, 2**53)

    def booking_body(self) -> dict:
        people = [self.some((ADULT, CHILD)) for _ in range(self.some((1, 1, 2, 3, 9)))]
        plate, length = self.some(("AA", "B-1", "C2")), self.some((1, 4, 25))
        vehicle = {"plate": plate, "lengthMetres": length} if self.maybe(0.4) else None
        return {"passengers": people, "vehicle": vehicle}

    def booking_expected(self, body: dict, sailing: dict, old: dict | None) -> int | None:
        vehicle = body["vehicle"]
        if vehicle and ADULT not in body["passengers"]:
            return 422
        places, lane = sailing["freePlaces"], sailing["freeLaneMetres"]
        if old:
            places += len(old["passengers"])
            lane += old["vehicle"]["lengthMetres"] if old["vehicle"] else 0
        others = [one for one in self.bookings.values() if one["sailingId"] == sailing["id"] and one is not old]
        twice = vehicle and any(one["vehicle"] and one["vehicle"]["plate"] == vehicle["plate"] for one in others)
        full = len(body["passengers"]) > places or (vehicle and vehicle["lengthMetres"] > lane)
        return 409 if twice or full or sailing["status"] != "open" else None

    def keep_booking(self, answer: dict, body: dict, sailing: dict) -> None:
        children = body["passengers"].count(CHILD)
        cents = (len(body["passengers"]) - children) * sailing["fareCents"] + children * sailing["fareCents"] // 2
        cents += body["vehicle"]["lengthMetres"] * sailing["laneMetreCents"] if body["vehicle"] else 0
        made = {"id": answer["id"], "sailingId": sailing["id"], **body, "priceCents": cents, "ticketCount": 0}
        assert answer == made, (answer, made)
        self.bookings[answer["id"]] = answer
        self.count_free([sailing])

    def book(self):
        key, body = self.open_or_any(), self.booking_body()
        status, answer = self.call("POST", f"/sailings/{key}/bookings", body)
        if key not in self.sailings:
            return 404, status
        expected = self.booking_expected(body, self.sailings[key], None) or 201
        if status == 201:
            assert answer["id"] not in self.bookings
            self.keep_booking(answer, body, self.sailings[key])
        return expected, status

    def booking_path(self) -> tuple[int, str]:
        booking = self.some_key(self.bookings, "0" * 8 + "-0000-0000-0000-" + "0" * 12)
        right = self.bookings[booking]["sailingId"] if booking in self.bookings else 1
        return (self.open_or_any() if self.maybe(0.1) else right), booking

    def is_there(self, sailing: int, booking: str) -> bool:
        return booking in self.bookings and self.bookings[booking]["sailingId"] == sailing

    def replace(self):
        (key, booking), body = self.booking_path(), self.booking_body()
        status, answer = self.call("PUT", f"/sailings/{key}/bookings/{booking}", body)
        if not self.is_there(key, booking):
            return 404, status
        old = self.bookings[booking]
        expected = self.booking_expected(body, self.sailings[key], old)
        expected = expected or (409 if old["ticketCount"] else 200)
        if status == 200:
            self.keep_booking(answer, body, self.sailings[key])
        return expected, status

    def cancel(self):
        key, booking = self.booking_path()
        status, _ = self.call("DELETE", f"/sailings/{key}/bookings/{booking}")
        if not self.is_there(key, booking):
            return 404, status
        if status == 204:
            assert self.call("GET", f"/sailings/{key}/bookings/{booking}")[0] == 404
            del self.bookings[booking]
            self.tickets = {one["number"]: one for one in self.tickets.values() if one["bookingId"] != booking}
            self.count_free([self.sailings[key]])
        return 409 if self.sailings[key]["status"] == "departed" else 204, status

    def issue(self):
        _, booking = self.booking_path()
        numbers = self.random.sample(range(1, 4), self.random.randint(1, 3))
        status, answer = self.call("POST", "/tickets", {"bookingId": booking, "passengerNumbers": numbers})
        if booking not in self.bookings:
            return 422, status
        expected = self.ticket_expected(self.bookings[booking], numbers)
        if status == 201:
            self.keep_tickets(answer, self.bookings[booking], numbers)
        return expected, status

    def ticket_expected(self, booking: dict, numbers: list[int]) -> int:
        if self.sailings[booking["sailingId"]]["status"] not in ("open", "closed"):
            return 409
        issued = {one["passengerNumber"] for one in self.tickets.values() if one["bookingId"] == booking["id"]}
        for number in numbers:
            if number > len(booking["passengers"]):
                return 422
            if number in issued:
                return 409
        return 201

    def keep_tickets(self, answer: list[dict], booking: dict, numbers: list[int]) -> None:
        for ticket, number in zip(answer, numbers, strict=True):
            name = booking["passengers"][number - 1]["name"]
            assert ticket["number"] not in self.tickets
            assert ticket == {
                "number": ticket["number"], "bookingId": booking["id"], "sailingId": booking["sailingId"],
                "passengerNumber": number, "passengerName": name,
            }
            self.tickets[ticket["number"]] = ticket
        count = booking["ticketCount"] + len(numbers)
        self.bookings[booking["id"]] = {**booking, "ticketCount": count}

    def read(self) -> None:
        self.some((
            self.read_ports, self.read_ships, self.read_sailings, self.read_bookings, self.read_tickets,
            self.read_one,
        ))()

    def window(self, path: str, filters: dict, hits: list[dict]) -> None:
        limit, offset = self.some((1, 2, 20, 100)), self.some((0, 0, 1, 5, 100_000))
        _, answer = self.call("GET", f"{path}?{urlencode(filters | {'limit': limit, 'offset': offset})}")
        assert answer == {"items": hits[offset : offset + limit], "total": len(hits)}, (path, filters)

    def filters(self, **values) -> dict:
        return {key: value for key, value in values.items() if self.maybe(0.4)}

    def sorted_by(self, things: list[dict], order: str, tie: str) -> list[dict]:
        things.sort(key=lambda one: one[tie])
        things.sort(key=lambda one: one[order.lstrip("-")], reverse=order[0] == "-")
        return things

    def read_ports(self) -> None:
        asked = self.filters(country=self.some(("DE", "SE", "NO")), q=self.some("oä"), sort="name")
        hits = [
            one for one in self.ports.values()
            if asked.get("country", one["country"]) == one["country"]
            and asked.get("q", "") in one["name"].lower()
        ]
        self.window("/ports", asked, self.sorted_by(hits, asked.get("sort", "code"), "code"))

    def read_ships(self) -> None:
        order = self.some(("id", "-id", "name", "-name", "passengerCapacity", "-passengerCapacity"))
        asked = self.filters(minPassengers=self.some((0, 12, 13)), sort=order)
        hits = [one for one in self.ships.values() if one["passengerCapacity"] >= asked.get("minPassengers", 0)]
        self.window("/ships", asked, self.sorted_by(hits, asked.get("sort", "id"), "id"))

    def read_sailings(self) -> None:
        asked = self.filters(
            status=self.some(self.MOVES), shipId=self.random.randint(1, 6), portCode=self.some(self.CODES),
            departsFrom=self.some(self.DAYS), departsUntil=self.some(self.DAYS), sort="-departsOn",
        )
        page, size = self.some((1, 1, 2, 3)), self.some((1, 2, 3, 10, 50))
        path = f"/sailings?{urlencode(asked | {'page': page, 'pageSize': size})}"
        status, answer = self.call("GET", path)
        first, last = asked.get("departsFrom", "0000"), asked.get("departsUntil", "9999-99")
        if first > last:
            assert status == 422
            return
        hits = [
            one for one in self.sailings.values()
            if asked.get("status", one["status"]) == one["status"]
            and asked.get("shipId", one["shipId"]) == one["shipId"]
            and first <= one["departsOn"] <= last
            and ("portCode" not in asked or asked["portCode"] in {call["portCode"] for call in one["calls"]})
        ]
        self.sorted_by(hits, asked.get("sort", "departsOn"), "id")
        assert answer == {
            "items": hits[(page - 1) * size : page * size], "page": page, "pageSize": size,
            "pageCount": (len(hits) + size - 1) // size, "total": len(hits),
        }, path

    def read_bookings(self) -> None:
        key = self.open_or_any()
        if key not in self.sailings:
            assert self.call("GET", f"/sailings/{key}/bookings")[0] == 404
            return
        asked = self.filters(withVehicle=self.some(("true", "false")))
        wanted = {None: (True, False), "true": (True,), "false": (False,)}[asked.get("withVehicle")]
        theirs = [one for one in self.bookings.values() if one["sailingId"] == key]
        self.window(f"/sailings/{key}/bookings", asked, [one for one in theirs if bool(one["vehicle"]) in wanted])

    def read_tickets(self) -> None:
        asked = self.filters(bookingId=self.some_key(self.bookings, SEEDED(9)), sailingId=self.open_or_any())
        hits = [one for one in self.tickets.values() if asked.items() <= one.items()]
        self.window("/tickets", asked, hits)

    def read_one(self) -> None:
        sailing, booking = self.booking_path()
        for path, thing in (
            *((f"/ports/{code}", self.ports.get(code)) for code in (self.some(self.CODES),)),
            *((f"/ships/{key}", self.ships.get(key)) for key in (self.some_key(self.ships, 999_999),)),
            (f"/sailings/{sailing}", self.sailings.get(sailing)),
            (
                f"/sailings/{sailing}/bookings/{booking}",
                self.bookings[booking] if self.is_there(sailing, booking) else None,
            ),
        ):
            status, answer = self.call("GET", path)
            assert (status, answer) == (200, thing) if thing else status == 404, (path, status, answer)


def refuse_nonsense(walk: Walk) -> None:
    """Whatever is not as the document says gives 422, changes nothing, and is answered as declared."""
    walk.compare()
    ship = {"name": "n", "passengerCapacity": 1}
    ticket = {"bookingId": SEEDED(3)}
    sailing = sailing_body()
    booking = {"passengers": [ADULT]}
    for method, path, body in (
        *(("GET", f"/ports?{query}", None) for query in (
            "limit=0", "limit=101", "limit=1_0", "limit=+1", "limit=%201", "limit=", "limit=1.5", "offset=-1",
            "offset=100001", "country=XX", "country=", "q=", f"q={'x' * 61}", "sort=berths", f"limit={'9' * 5000}",
        )),
        *(("GET", f"/sailings?{query}", None) for query in (
            "departsFrom=2031-02-29", "departsFrom=20310228", "departsUntil=x", "page=0", "pageSize=51",
            "portCode=kel", "shipId=0", "departsFrom=2031-01-02&departsUntil=2031-01-01",
        )),
        *(("GET", f"/sailings/1/bookings?withVehicle={value}", None) for value in ("1", "yes", "True", "", "null")),
        ("GET", "/ports/kel", None), ("GET", "/ships/x", None), ("GET", "/ships/0", None),
        ("GET", "/sailings/1/bookings/x", None), ("GET", "/tickets?bookingId=x", None),
        *(("POST", "/ships", body) for body in (
            None, [], "x", 1, {}, ship | {"id": 1}, ship | {"name": ""}, ship | {"name": None},
            ship | {"name": "\ud800"}, ship | {"passengerCapacity": "1"}, ship | {"passengerCapacity": 1.5},
            ship | {"passengerCapacity": True}, ship | {"passengerCapacity": float("nan")},
            ship | {"passengerCapacity": 10**400}, ship | {"commissionedOn": "2023-02-29"}, ship | {"\ud800": 1},
            ship | {"callSign": "ABCD\n"}, ship | {"laneMetres": None}, ship | {"commissionedOn": 1},
        )),
        *(("PATCH", "/ships/1", body) for body in (
            None, {"name": None}, {"laneMetres": None}, {"id": 1}, {"nextSurveyOn": None},
        )),
        *(("POST", "/sailings", sailing | other) for other in (
            {"calls": []}, {"calls": sailing["calls"][:1]}, {"calls": sailing["calls"] * 4}, {"calls": [None, None]},
            {"departsOn": "2031-01-01T00:00:00Z"}, {"shipId": "1"}, {"status": "open"},
        )),
        *(("POST", "/sailings/2/bookings", booking | other) for other in (
            {"passengers": []}, {"passengers": [ADULT] * 10}, {"passengers": [{"name": "x"}]},
            {"vehicle": {"plate": "a", "lengthMetres": 1}}, {"vehicle": {"plate": "AA", "lengthMetres": 26}},
            {"passengers": [CHILD], "vehicle": {"plate": "AA", "lengthMetres": 1}},
        )),
        *(("POST", "/sailings/2/status", body) for body in (
            {}, {"status": "draft"}, {"status": "cancelled"}, {"status": "closed", "reason": "x"},
            {"status": "cancelled", "reason": ""},
        )),
        *(("POST", "/tickets", ticket | {"passengerNumbers": numbers}) for numbers in (
            [], [0], [10], [1, 1], [1, 1.0], [2], None, list(range(1, 11)),
        )),
    ):
        assert walk.call(method, path, body)[0] == 422, (method, path, body)
    for raw in (b"", b"{", b"\xff", b"[" * 100_000, b'{"name": ' + b"9" * 5000 + b"}", b"nul"):
        status, answer = walk.service.call("POST", "/ships", raw=raw)
        assert status == 422 and isinstance(answer["detail"], str), (raw[:20], status, answer)
    for method, path in (("PUT", "/ports"), ("POST", "/ships/1"), ("TRACE", "/tickets"), ("HEAD", "/ports")):
        assert walk.service.call(method, path)[0] == 405, (method, path)
    walk.compare()


def walk_over_the_twin() -> None:
    service = Service("none")
    try:
        walk = Walk(service)
        refuse_nonsense(walk)
        walk.run(STEPS)
        stats = service.call("GET", "/__stats")[1]
        assert not any(stats["stats"][fault] for fault in SHOWS), stats["stats"]
        print(f"walked {STEPS} steps, {stats['stats']['requests']} requests")
        if "-v" in sys.argv:
            print(json.dumps({f"{name} {status}": times for (name, status), times in sorted(walk.statuses.items())}))
    finally:
        service.stop()


def main() -> None:
    play("none", dict.fromkeys(SHOWS, False))
    play("all", dict.fromkeys(SHOWS, True))
    for fault in SHOWS:
        play(fault, {one: one == fault for one in SHOWS})
    print("every fault shows where it should, and only there")
    walk_over_the_twin()


if __name__ == "__main__":
    main()
