"""usage: python3 check.py [PORT] [STEPS]. Starts the service by itself, on 127.0.0.1, one after the other.

Plays a short sequence for each fault: with FAULTS=all and with that fault alone it must show, with none it must
not. Then sends requests at random, but always the same ones, to the service without faults, and holds every answer
against the document: only documented statuses, answers that keep to their schemas, 400 for just those requests that
do not keep to theirs, and nothing changed by what was refused. What the answers tell must fit together.
"""

import calendar
import copy
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 26511
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 6000
HERE = Path(__file__).resolve().parent


class Service:
    def __init__(self, faults: str) -> None:
        env = os.environ | {"FAULTS": faults}
        begin = time.perf_counter()
        self.process = subprocess.Popen([HERE / "start.sh", str(PORT)], env=env)
        self.line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        for _ in range(500):
            try:
                self.call("POST", "/__reset")
                self.started_in = time.perf_counter() - begin
                return
            except OSError:
                self.line.close()
                if self.process.poll() is not None:
                    break
                time.sleep(0.02)
        self.stop()
        raise SystemExit("does not start")

    def call(self, method: str, path: str, body: object = None, raw: bytes | None = None):
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"} if data is not None else {}
        self.line.request(method, path, data, headers)
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status == 500:
            self.line.close()
        is_json = text and answer.getheader("content-type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text.decode()

    def ok(self, method: str, path: str, body: object = None):
        status, answer = self.call(method, path, body)
        assert status in (200, 201, 204), (method, path, body, status, answer)
        return answer

    def stop(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait()


def either(got, faulty, right):
    assert got in (faulty, right), got
    return got == faulty


def vehicle(**other) -> dict:
    return {
        "plate": "X-NEW", "branchCode": "LEJ1", "category": "mini", "seats": 4, "dailyCents": 1000, "features": ["aircon"],
    } | other


def rental(**other) -> dict:
    return {"vehicleId": 1, "customerId": 4, "fromDay": "2031-01-01", "toDay": "2031-01-03"} | other


def empty_patch(s: Service) -> bool:
    return either(s.call("PATCH", "/vehicles/1", {})[0], 500, 200)


def damages_of_deleted(s: Service) -> bool:
    s.ok("DELETE", "/vehicles/7")
    assert s.call("GET", "/vehicles/7")[0] == 404
    return either(s.call("GET", "/vehicles/7/damages")[0], 200, 404)


def features_null(s: Service) -> bool:
    return either(s.ok("POST", "/vehicles", vehicle(features=[]))["features"], None, [])


def phone_lost(s: Service) -> bool:
    s.ok("PATCH", "/customers/1", {"name": "Lena Voigt"})
    return either(s.ok("GET", "/customers/1")["phone"], None, "+4915112345678")


def plate_taken(s: Service) -> bool:
    key = s.ok("POST", "/vehicles", vehicle())["id"]
    s.ok("DELETE", f"/vehicles/{key}")
    return either(s.call("POST", "/vehicles", vehicle())[0], 409, 201)


def days_kept(s: Service) -> bool:
    before = s.ok("GET", "/rentals/3")
    assert s.call("PATCH", "/rentals/3", {"toDay": "2030-04-09", "driverIds": [999]})[0] == 422
    after = s.ok("GET", "/rentals/3")
    return either(after["toDay"], "2030-04-09", before["toDay"])


def page_repeats(s: Service) -> bool:
    one, two = (
        [x["id"] for x in s.ok("GET", f"/vehicles?sort=dailyCents&pageSize=3&page={page}")["items"]] for page in (1, 2)
    )
    assert one == [1, 6, 2], one
    return either(two, [2, 5, 3], [5, 3, 7])


def repaired_elsewhere(s: Service) -> bool:
    assert s.call("GET", "/vehicles/1/damages/1")[0] == 404
    status = s.call("POST", "/vehicles/1/damages/1/repair", {"costCents": 5})[0]
    return either((status, s.ok("GET", "/vehicles/3/damages/1")["repaired"]), (200, True), (404, False))


def cancelled_after_return(s: Service) -> bool:
    s.ok("POST", "/rentals/2/state", {"state": "returned", "odometerKm": 20_000})
    status = s.call("POST", "/rentals/2/state", {"state": "cancelled"})[0]
    return either((status, s.ok("GET", "/rentals/2")["state"]), (200, "cancelled"), (409, "returned"))


def count_after_return(s: Service) -> bool:
    key = s.ok("POST", "/rentals", rental(vehicleId=6, returnBranchCode="LEJ1"))["id"]
    s.ok("POST", f"/rentals/{key}/state", {"state": "active"})
    s.ok("POST", f"/rentals/{key}/state", {"state": "returned", "odometerKm": 8000})
    assert s.ok("GET", "/vehicles/6")["branchCode"] == "LEJ1"
    return either([s.ok("GET", f"/branches/{code}")["vehicleCount"] for code in ("MUC1", "LEJ1")], [2, 0], [1, 1])


def driver_deleted(s: Service) -> bool:
    key = s.ok("POST", "/rentals", rental(driverIds=[5]))["id"]
    deleted = s.call("DELETE", "/customers/5")[0]
    return either((deleted, s.call("GET", f"/rentals/{key}")[0]), (204, 500), (409, 200))


def rentals_of_others(s: Service) -> bool:
    s.ok("POST", "/rentals/3/state", {"state": "cancelled"})
    got = [one["customerId"] for one in s.ok("GET", "/customers/1/rentals?state=cancelled")["items"]]
    return either(got, [3], [])


SHOWS = dict(zip((f"R{n}" for n in range(1, 13)), (
    empty_patch, damages_of_deleted, features_null, phone_lost, plate_taken, days_kept, page_repeats, repaired_elsewhere,
    cancelled_after_return, count_after_return, driver_deleted, rentals_of_others,
)))


def play(faults: str, expected: dict[str, bool]) -> float:
    service = Service(faults)
    try:
        for fault, should_show in expected.items():
            service.call("POST", "/__reset")
            shown = SHOWS[fault](service)
            met = service.call("GET", "/__stats")[1]["stats"][fault]
            assert shown == should_show == (met > 0), f"{fault} with FAULTS={faults}: shown {shown}, met {met}"
        return service.started_in
    finally:
        service.stop()


class Document:
    def __init__(self, text: dict) -> None:
        self.text = text

    def fits(self, value: object, schema: dict) -> bool:
        if "$ref" in schema:
            return self.fits(value, self.text["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        if "anyOf" in schema:
            return any(self.fits(value, one) for one in schema["anyOf"])
        kind = schema.get("type")
        if kind is None:
            return True
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
        if type(value) is not kinds[kind] or value not in schema.get("enum", [value]):
            return False
        if kind == "object":
            properties = schema["properties"]
            return (
                schema["additionalProperties"] is False and set(schema.get("required", ())) <= set(value) <= set(properties)
                and all(self.fits(one, properties[key]) for key, one in value.items())
            )
        if kind == "array":
            texts = [json.dumps(int(x) if isinstance(x, float) and x.is_integer() else x) for x in value]
            return (
                schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9)
                and not (schema.get("uniqueItems") and len(set(texts)) < len(texts))
                and all(self.fits(one, schema["items"]) for one in value)
            )
        if kind == "string":
            return (
                schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
                and re.search(schema.get("pattern", "").replace("$", r"\Z"), value) is not None
                and (schema.get("format") != "date" or is_day(value))
                and not any("\ud800" <= letter <= "\udfff" for letter in value)
            )
        if kind == "integer":
            return schema.get("minimum", value) <= value <= schema.get("maximum", value)
        return True


def is_day(text: str) -> bool:
    year, month, day = map(int, text.split("-"))
    return 1 <= day <= calendar.monthrange(year, month)[1]


ODD = (
    None, True, False, 0, -1, 1, 1.0, 1.5, 2**31, 2**53 + 1, 10**400, 1e300, float("nan"), float("inf"), "", " ", "a", "\0",
    "\ud800", "x" * 61, "x" * 81, "ABCD", "2031-02-29", "2031-02-28", "2032-02-29", "HAM1\n", [], [1, 1], [None], {}, {"a": 1},
    "\U0001f697", "ß" * 40, "null", "1",
)


LISTS = {
    "list_branches": ("branches", "code"), "list_vehicles": ("vehicles", "id"), "list_damages": ("damages", "id"),
    "list_customers": ("customers", "id"), "list_rentals": ("rentals", "id"), "list_rentals_of_customer": ("rentals", "id"),
}


class Walk:
    def __init__(self, service: Service) -> None:
        self.service = service
        self.random = random.Random(11)
        self.document = Document(service.call("GET", "/openapi.json")[1])
        self.operations = [
            (method, path, operation)
            for path, operations in self.document.text["paths"].items() for method, operation in operations.items()
        ]
        busy = ("create_rental", "update_rental", "change_state", "list_rentals", "list_rentals_of_customer")
        self.operations += [one for one in self.operations if one[2]["operationId"] in busy] * 2
        self.statuses: dict[str, dict[int, int]] = {}

    def some(self, things):
        return self.random.choice(list(things))

    def state(self) -> dict:
        get = lambda path: self.service.ok("GET", path)
        vehicles, page = [], 1
        while (got := get(f"/vehicles?pageSize=50&page={page}"))["items"]:
            vehicles += got["items"]
            page += 1
        assert len(vehicles) == got["total"]
        state = {"vehicles": vehicles}
        for name in ("branches", "customers"):
            state[name] = []
            while (got := get(f"/{name}?limit=100&offset={len(state[name])}"))["items"]:
                state[name] += got["items"]
            assert len(state[name]) == got["total"]
        state["rentals"], after = [], 0
        while True:
            got = get(f"/rentals?limit=100&afterId={after}")
            state["rentals"] += got["items"]
            assert not got["hasMore"] or len(got["items"]) == 100
            if not got["hasMore"]:
                break
            after = got["items"][-1]["id"]
        state["damages"] = [
            one for v in vehicles for one in get(f"/vehicles/{v['id']}/damages?limit=100")["items"]
        ]
        return state

    def coherent(self, state: dict) -> None:
        """What the things tell of each other."""
        customers = {one["id"]: one for one in state["customers"]}
        vehicles = {one["id"]: one for one in state["vehicles"]}
        assert len({one["plate"] for one in state["vehicles"]}) == len(vehicles)
        assert len({one["email"] for one in state["customers"]}) == len(customers)
        for one in state["branches"]:
            assert one["vehicleCount"] == sum(v["branchCode"] == one["code"] for v in vehicles.values()), one
            assert one["opensAtHour"] < one["closesAtHour"]
        codes = {one["code"] for one in state["branches"]}
        for one in state["vehicles"]:
            own = [d for d in state["damages"] if d["vehicleId"] == one["id"] and not d["repaired"]]
            assert one["openDamageCount"] == len(own) and one["branchCode"] in codes
            assert one["roadworthy"] == all(d["severity"] == "minor" for d in own)
        for one in state["customers"]:
            assert one["rentalCount"] == sum(r["customerId"] == one["id"] for r in state["rentals"])
        for one in state["rentals"]:
            assert one["customerId"] in customers and one["vehicleId"] in vehicles
            assert one["driverNames"] == [customers[key]["name"] for key in one["driverIds"]]
            assert one["customerId"] not in one["driverIds"] and one["fromDay"] <= one["toDay"]
            assert {one["pickupBranchCode"], one["returnBranchCode"]} <= codes
            assert (one["closingKm"] is not None) == (one["state"] == "returned")
            live = ("reserved", "active")
            for other in state["rentals"]:
                if other["id"] > one["id"] and other["vehicleId"] == one["vehicleId"]:
                    apart = one["toDay"] < other["fromDay"] or other["toDay"] < one["fromDay"]
                    assert apart or one["state"] not in live or other["state"] not in live, (one, other)

    def value(self, schema: dict, name: str, depth: int = 0):
        roll = self.random.random()
        if "$ref" in schema:
            return self.value(self.document.text["components"]["schemas"][schema["$ref"].rpartition("/")[2]], name)
        if "anyOf" in schema:
            return self.value(self.some(schema["anyOf"]), name, depth)
        if roll < 0.015:
            return copy.deepcopy(self.some(ODD))
        if "enum" in schema:
            return self.some(schema["enum"])
        kind = schema["type"]
        if kind == "null":
            return None
        if kind == "boolean":
            return self.some((True, False))
        if kind == "integer":
            if name.endswith("Ids") or name.endswith("Id"):
                return self.random.randint(1, 12)
            low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 1000))
            return self.some((low, high, self.random.randint(low, min(high, low + 10)), self.random.randint(low, high)))
        if kind == "array":
            return [self.value(schema["items"], name) for _ in range(self.some((0, 1, 1, 2, 3)))]
        if kind == "object":
            needed = schema.get("required", ())
            fields = [key for key in schema["properties"] if key in needed and roll > 0.03 or self.random.random() < 0.5]
            made = {key: self.value(schema["properties"][key], key) for key in fields}
            return made | ({"strange": 1} if self.random.random() < 0.01 else {})
        pattern = schema.get("pattern", "")
        if schema.get("format") == "date":
            if name == "bornOn":
                return self.some(("1980-02-29", "2013-01-02", "2012-04-10", "2000-01-01", "1900-12-31"))
            if self.random.random() < 0.1:
                return self.some(("2030-02-30", "2000-01-01", "2099-12-31", "2032-02-29"))
            low, high = {"fromDay": (3, 4), "toDay": (4, 5)}.get(name, (3, 5))
            return f"2030-0{self.random.randint(low, high)}-{self.random.randint(1, 30):02}"
        if pattern == r"^[A-Z]{3}[0-9]$":
            return self.some(("BER1", "BER2", "HAM1", "MUC1", "LEJ1", "STR1", "CGN1"))
        if "@" in pattern:
            return self.some("abcdef") + "@x.de"
        if pattern.startswith(r"^\+"):
            return "+" + "1" * self.random.randint(5, 16)
        if pattern:
            return "A-" + self.some("ABCDEFGH")
        return self.some(("a", "Berlin", "\0", "Ä" * 40, "x" * 60, "船", " ", "y" * 90))

    def step(self) -> None:
        method, path, operation = self.some(self.operations)
        url, valid, query = path, True, []
        for parameter in operation.get("parameters", ()):
            schema, name = parameter["schema"], parameter["name"]
            if parameter["in"] == "path":
                value = self.value(schema, name)
                text = value if isinstance(value, str) else json.dumps(value)
                if not text or "/" in text or text in (".", "..") or "\ud800" in text:
                    return
                ok = self.parsed_fits(text, schema)
                valid, url = valid and ok, url.replace("{" + name + "}", quote(text, safe=""))
            elif self.random.random() < 0.35:
                value = self.value(schema, name)
                values = value if schema["type"] == "array" and isinstance(value, list) else [value]
                texts = [one if isinstance(one, str) else json.dumps(one) for one in values]
                if "\ud800" in texts:
                    return
                if schema["type"] == "array":
                    ok = not texts or (len(texts) <= schema["maxItems"] and all(self.parsed_fits(t, schema["items"]) for t in texts))
                else:
                    ok = self.parsed_fits(texts[0], schema) if texts else True
                valid = valid and ok
                query += [(name, text) for text in texts]
        if query:
            url += "?" + urlencode(query)
        body = raw = None
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            body = self.value(schema, "")
            if self.random.random() < 0.02:
                body = copy.deepcopy(self.some(ODD))
            raw = json.dumps(body).encode()
            valid = valid and self.document.fits(body, schema)
        status, answer = self.service.call(method.upper(), url, raw=raw)
        where = (method, url, body, status, answer)
        declared = operation["responses"]
        assert str(status) in declared, where
        content = declared[str(status)].get("content")
        if content is None:
            assert answer == "", where
        else:
            assert self.document.fits(answer, content["application/json"]["schema"]), where
        assert (status == 400) == (not valid), where
        seen = self.statuses.setdefault(operation["operationId"], {})
        seen[status] = seen.get(status, 0) + 1
        if status == 200 and operation["operationId"] in LISTS:
            asked = {name: value for name, value in query if name != "feature"}
            asked["feature"] = {value for name, value in query if name == "feature"}
            self.listed(operation["operationId"], url.partition("?")[0].split("/"), asked, answer)
        if method != "get":
            now = self.state()
            if status >= 400:
                assert now == self.before, where
            else:
                self.coherent(now)
            self.before = now

    def listed(self, name: str, path: list[str], asked: dict, answer: dict) -> None:
        """A list has just what its filters, its order and its page leave of everything."""
        kind, tie = LISTS[name]
        things, number = self.before[kind], lambda key, other: int(asked.get(key, str(other)).partition(".")[0])
        same = lambda one, key: key not in asked or str(one[key]) == asked[key].partition(".0")[0]
        keeps = {
            "list_branches": lambda one: same(one, "city") and (
                "openAtHour" not in asked or one["opensAtHour"] <= number("openAtHour", 0) < one["closesAtHour"]
            ),
            "list_vehicles": lambda one: all(same(one, key) for key in ("category", "branchCode", "status"))
            and one["seats"] >= number("minSeats", 1) and asked["feature"] <= set(one["features"]),
            "list_damages": lambda one: one["vehicleId"] == int(path[2].partition(".")[0])
            and asked.get("repaired", str(one["repaired"]).lower()) == str(one["repaired"]).lower(),
            "list_customers": lambda one: asked.get("q", "").casefold() in one["name"].casefold() and same(one, "email"),
            "list_rentals_of_customer": lambda one: one["customerId"] == int(path[2].partition(".")[0]) and same(one, "state"),
            "list_rentals": lambda one: all(same(one, key) for key in ("vehicleId", "customerId", "state"))
            and asked.get("startsFrom", "0") <= one["fromDay"] <= asked.get("startsUntil", "9"),
        }
        hits = sorted((one for one in things if keeps[name](one)), key=lambda one: one[tie])
        order = asked.get("sort", tie)
        hits.sort(key=lambda one: one[order.lstrip("-")], reverse=order[0] == "-")
        where = (name, asked, answer, hits)
        if kind == "rentals":
            hits = [one for one in hits if one["id"] > number("afterId", 0)]
            limit = number("limit", 20)
            assert answer == {"items": hits[:limit], "hasMore": len(hits) > limit}, where
            return
        size = number("pageSize" if kind == "vehicles" else "limit", 10 if kind == "vehicles" else 20)
        start = (number("page", 1) - 1) * size if kind == "vehicles" else number("offset", 0)
        assert (answer["items"], answer["total"]) == (hits[start : start + size], len(hits)), where

    def parsed_fits(self, text: str, schema: dict) -> bool:
        if schema["type"] == "integer":
            return re.fullmatch(r"-?[0-9]+(\.0+)?", text) is not None and self.document.fits(int(text.partition(".")[0]), schema)
        if schema["type"] == "boolean":
            return text in ("true", "false")
        return self.document.fits(text, schema)

    def run(self) -> None:
        for step in range(STEPS):
            if step % 700 == 0:
                self.service.call("POST", "/__reset")
                self.before = self.state()
            self.step()
        self.nonsense()

    def nonsense(self) -> None:
        self.service.call("POST", "/__reset")
        before = self.state()
        for raw in (
            b"", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 50_000, b'{"name": ' + b"9" * 5000 + b"}", b"nul", b"null", b"\x00",
            b'{"\\ud800": 1}', b'{"name": "\\ud800"}', b'{"dailyCents": 1e999}', b'{"dailyCents": NaN}', b'"x"', b"1",
            '{"name": "\ud800"}'.encode("utf-8", "surrogatepass"), "{}".encode("utf-16"),
        ):
            for method, path in (
                ("POST", "/vehicles"), ("PATCH", "/vehicles/1"), ("PUT", "/branches/BER1"), ("POST", "/rentals"),
                ("PATCH", "/rentals/1"), ("POST", "/rentals/1/state"), ("POST", "/customers"), ("POST", "/branches"),
            ):
                if raw == "{}".encode("utf-16"):  # is decoded like any other JSON
                    status, answer = self.service.call(method, path, raw=raw)
                    wanted = 200 if method == "PATCH" else 400
                    assert status == wanted, (method, path, status, answer)
                    continue
                status, answer = self.service.call(method, path, raw=raw)
                assert status == 400 and answer["error"]["code"] == "invalid", (raw[:20], method, path, status, answer)
        for path in ("/%00", "/vehicles/%ff", "/vehicles/" + "9" * 5000, "/customers/1/", "/x", "/branches/%E2%82%28", "/vehicles/1/damages/-1"):
            assert self.service.call("GET", path)[0] in (400, 404), path
        for method, path in (("PUT", "/vehicles"), ("POST", "/vehicles/1"), ("TRACE", "/rentals"), ("DELETE", "/rentals/1")):
            assert self.service.call(method, path)[0] == 405, (method, path)
        assert self.state() == before


def race(service: Service) -> None:
    """Of many that want the same key or the same days at once, one gets it."""
    service.call("POST", "/__reset")
    got: list[tuple[str, int]] = []

    def want(path: str, body: dict) -> None:
        line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        line.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        got.append((path, line.getresponse().status))
        line.close()

    wanted = [("/vehicles", vehicle()), ("/rentals", rental())] * 20
    threads = [threading.Thread(target=want, args=one) for one in wanted]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for path in ("/vehicles", "/rentals"):
        assert sorted(status for p, status in got if p == path) == [201] + [409] * 19, got


def main() -> None:
    took = [play("none", dict.fromkeys(SHOWS, False)), play("", dict.fromkeys(SHOWS, False))]
    took.append(play("all", dict.fromkeys(SHOWS, True)))
    for fault in SHOWS:
        took.append(play(fault, {one: one == fault for one in SHOWS}))
    print(f"every fault shows where it should, and only there; the slowest start took {max(took):.2f} s")
    service = Service("none")
    try:
        walk = Walk(service)
        walk.run()
        race(service)
        stats = service.call("GET", "/__stats")[1]["stats"]
        assert not any(stats[fault] for fault in SHOWS), stats
        print(f"walked {STEPS} steps")
        print(json.dumps(walk.statuses, indent=None))
    finally:
        service.stop()


if __name__ == "__main__":
    main()
