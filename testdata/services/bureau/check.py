"""usage: python3 check.py [PORT]. Starts the service by itself, on 127.0.0.1, one after the other.

Plays the sequence of each fault of FAULTS.md: with FAULTS=all and with that fault alone it must show, with
none it must not. Then walks at random, but always the same way, over the service without faults, and holds
every answer against the document and some sums.
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
from urllib.parse import quote, urlencode

PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 8791
HERE = Path(__file__).resolve().parent
NEW = {"code": "NEW-001", "title": "t", "source": "en", "targets": ["de"], "startsOn": "2024-01-10"}


class Service:
    def __init__(self, faults: str) -> None:
        env = os.environ | {"FAULTS": faults}
        self.process = subprocess.Popen([HERE / "start.sh", str(PORT)], env=env, stderr=subprocess.DEVNULL)
        self.line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        for _ in range(300):
            try:
                self.call("POST", "/__reset")
                return
            except OSError:
                self.line.close()
                time.sleep(0.1)
        raise SystemExit("does not start")

    def call(self, method: str, path: str, body: object = None, raw: bytes | None = None):
        data = raw if raw is not None else None if body is None else json.dumps(body).encode()
        start = time.perf_counter()
        self.line.request(method, path, data, {"Content-Type": "application/json"} if data is not None else {})
        answer = self.line.getresponse()
        text = answer.read()
        self.took = time.perf_counter() - start
        if answer.status == 500 or answer.getheader("connection") == "close":  # uvicorn hangs up after a crash
            self.line.close()
        is_json = answer.getheader("content-type", "").startswith("application/json")
        return answer.status, json.loads(text) if is_json else text.decode()

    def stop(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait()


# Each gives whether the fault shows (True) or all is right (False); anything else fails.
def either(got, faulty, right):
    assert got in (faulty, right), got
    return got == faulty


def b1(s):
    status, body = s.call("POST", "/projects", NEW | {"dueOn": "2024-02-29"})
    if status == 201:
        assert body["retainUntil"] == "2025-02-28", body
    shows = either(status, 500, 201)
    status, body = s.call("PATCH", "/projects/ORBIT-014", {"dueOn": "2028-02-29"})
    assert shows == either(status, 500, 200)
    return shows


def b2(s):
    assert s.call("PATCH", "/translators/1", {"dailyWords": 0})[0] == 200
    return either(s.call("PUT", "/projects/ACME-001/documents/DOC-00002/assignment", {"translatorId": 1})[0], 500, 409)


def b3(s):
    assert s.call("DELETE", "/glossaries/medical-de")[0] == 409
    return either(len(s.call("GET", "/glossaries/medical-de/terms")[1]), 0, 2)


def b4(s):
    pairs = [{"source": "en", "target": "de", "rateCents": 15}]
    return either(s.call("PATCH", "/translators/1", {"pairs": pairs})[1]["dailyWords"], 2000, 2500)


def b5(s):
    assert s.call("DELETE", "/projects/ACME-001/documents/DOC-00002")[0] == 204
    got = s.call("GET", "/projects/ACME-001")[1]
    assert got["documentCount"] == 1
    return either(got["wordTotal"], 5100, 4200)


def b6(s):
    got = s.call("GET", "/projects?priority=low")[1]
    assert len(got["items"]) == got["total"]
    return either([one["priority"] for one in got["items"]], ["normal", "low"], ["low"])


def b7(s):
    assert [one["handle"] for one in s.call("GET", "/translators?sort=handle")[1]["items"]] == ["ada_k", "noor", "ruth_m"]
    return either(s.call("GET", "/translators?sort=handle&pageSize=1")[1]["items"][0]["handle"], "ruth_m", "ada_k")


def b8(s):
    status, body = s.call("PATCH", "/translators/1", {"handle": "noor"})
    assert status == 409 and s.call("GET", "/translators/1")[1]["handle"] == "ruth_m"
    return either("SQL" in body["detail"] and ".py" in body["detail"], True, False)


def b9(s):
    status, body = s.call("PATCH", "/projects/ORBIT-014", {"budget": {"amount": "5000", "currency": "JPY"}})
    assert status == 200
    return either(body["budget"]["amount"], 5000, "5000")


def b10(s):
    shows = either(s.call("DELETE", "/glossaries/law-fr/terms/1")[0], 204, 404)
    assert shows == either(s.call("GET", "/glossaries/medical-de/terms/1")[0], 404, 200)
    return shows


def b11(s):
    status, body = s.call("GET", "/glossaries/medical-de/terms?q=h*t*k")
    assert status == 200 and [one["id"] for one in body] == [1] and (s.took < 0.1 or 1.4 < s.took < 2), (body, s.took)
    return s.took > 1


def b12(s):
    shows = either(s.call("PATCH", "/projects/ACME-001", {"dueOn": "2025-03-03"})[0], 200, 422)
    got = s.call("GET", "/projects/ACME-001")[1]["dueOn"]
    assert shows == either(got, "2025-03-03", "2025-04-11")
    return shows


SEQUENCES = {name.upper(): one for name, one in list(globals().items()) if re.fullmatch(r"b\d+", name)}


def flaws(value, schema, doc, where="$"):
    """What of a value breaks its schema; knows only what the document uses."""
    if "$ref" in schema:
        schema = doc["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        if all(any(True for _ in flaws(value, one, doc, where)) for one in schema["anyOf"]):
            yield f"{where}: no branch fits {value!r}"
        return
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or kind == "integer" and isinstance(value, bool)):
        yield f"{where}: {value!r} is no {kind}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} not in enum"
    if kind == "object":
        for name in schema.get("required", ()):
            if name not in value:
                yield f"{where}: {name} is missing"
        for name, one in value.items():
            if name in schema.get("properties", {}):
                yield from flaws(one, schema["properties"][name], doc, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{where}: {name} is too much"
    if kind == "array":
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9):
            yield f"{where}: {len(value)} items"
        if schema.get("uniqueItems") and len(set(map(str, value))) < len(value):
            yield f"{where}: twice"
        for place, one in enumerate(value):
            yield from flaws(one, schema.get("items", {}), doc, f"{where}[{place}]")
    if kind == "integer" and not schema.get("minimum", -1e18) <= value <= schema.get("maximum", 1e18):
        yield f"{where}: {value} out of bounds"
    if kind == "string":
        if not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9):
            yield f"{where}: length {len(value)}"
        if "pattern" in schema and not re.search(schema["pattern"].removesuffix("$") + r"\Z", value):
            yield f"{where}: {value!r} is not {schema['pattern']}"
        if schema.get("format") == "date":
            date.fromisoformat(value)


class Walk:
    LIKELY = {
        "code": ["ACME-001", "ORBIT-014", "XY-000", "XY-001", "ZZZZZZ-999", "de", "en", "fr", "qq", "zu"],
        "language": ["de", "en", "fr", "ja", "qq"], "source": ["en", "en", "ar", "heart attack", "Bruise", "x*y"],
        "target": ["de", "fr", "ja", "en"], "targets": ["de", "fr", "ja", "en"], "slug": ["medical-de", "law-fr", "new-1", "abc"],
        "glossaries": ["medical-de", "law-fr", "new-1"], "translatorId": [1, 2, 3, 4, 5, 99], "termId": [1, 2, 3, 4, 5, 99],
        "projectCode": ["ACME-001", "ORBIT-014", "XY-000", "XY-001"], "handle": ["ruth_m", "noor", "abc", "abcd"],
        "documentId": [f"DOC-{n:05}" for n in range(1, 9)], "fileName": ["faq.md", "a.docx", "b.xliff"],
        "startsOn": ["2024-01-01", "2024-02-28", "2099-12-31", "2000-01-01"], "amount": ["0", "0.00", "12.50", "5000"],
        "dueOn": ["2024-02-29", "2024-01-02", "2099-12-31", "2000-02-29"], "q": ["a", "*", "h*t*k", "**", "e"],
    }
    WRONG = [None, True, 0, -1, 1.5, 1e3, "", "x" * 300, [], {}, [1], {"a": None}, "\u0000", "\ud800", "2023-02-29", 2**70]

    def __init__(self, doc, seed) -> None:
        self.doc, self.dice = doc, random.Random(seed)

    def value(self, schema, name):
        dice = self.dice
        if dice.random() < 0.02:
            return dice.choice(self.WRONG)
        if "$ref" in schema:
            schema = self.doc["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        if "anyOf" in schema:
            return self.value(dice.choice(schema["anyOf"]), name)
        kind = schema.get("type")
        if kind == "object":
            must = schema.get("required", ())
            return {
                key: self.value(one, key) for key, one in schema["properties"].items()
                if key in must and dice.random() < 0.99 or key not in must and dice.random() < 0.4
            }
        if kind == "array":
            return [self.value(schema["items"], name) for _ in range(dice.randint(schema.get("minItems", 0), 2))]
        if "enum" in schema:
            return dice.choice(schema["enum"])
        if name in self.LIKELY and dice.random() < 0.95:
            return dice.choice(self.LIKELY[name])
        if kind == "integer":
            low, high = schema.get("minimum", 0), schema.get("maximum", 9)
            return int(dice.choice([low, high, min(low + 1, high), dice.randint(int(low), int(high))]))
        if kind == "boolean":
            return dice.random() < 0.5
        if schema.get("format") == "date":
            return f"{dice.randint(2000, 2099)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        return {"null": None}.get(kind, dice.choice(["a", "ab", "Abc ß", "xyz" * 9]))

    def step(self, s, seen) -> None:
        path = self.dice.choice(list(self.doc["paths"]))
        method = self.dice.choice(list(self.doc["paths"][path]))
        if method == "delete" and self.dice.random() < 0.7:
            return
        operation = self.doc["paths"][path][method]
        url, query = path, {}
        for one in operation.get("parameters", ()):
            got = self.value(one["schema"], one["name"])
            got = json.dumps(got) if not isinstance(got, str) else got.encode("utf-8", "replace").decode()
            if one["in"] == "path":
                url = url.replace("{" + one["name"] + "}", quote(got or "-", safe=""))
            elif self.dice.random() < 0.4:
                query[one["name"]] = got
        url += "?" + urlencode(query) if query else ""
        body = raw = None
        if "requestBody" in operation:
            body = self.value(operation["requestBody"]["content"]["application/json"]["schema"], "")
            if self.dice.random() < 0.01:
                raw = self.dice.choice([b"", b"{", b"NaN", b'{"a": NaN}', b"\xff", b"[" * 100_000, b"9" * 5000])
        status, answer = s.call(method.upper(), url, body, raw)
        what = f"{method} {url} {json.dumps(body)} → {status} {answer}"
        assert str(status) in operation["responses"] or "%2F" in url and status in (404, 405), what
        content = operation["responses"].get(str(status), {}).get("content")
        if content:
            wrong = list(flaws(answer, content["application/json"]["schema"], self.doc))
            assert not wrong, (what, wrong)
        else:
            assert answer == "" or "%2F" in url, what
        key = f"{method} {path} {status}"
        seen.setdefault(key, []).append(s.took)

    def sums(self, s) -> None:
        projects = s.call("GET", "/projects?limit=100")[1]
        assert projects["total"] == len(projects["items"])
        busy = {}
        for one in projects["items"]:
            documents = s.call("GET", f"/projects/{one['code']}/documents")[1]
            assert one["documentCount"] == len(documents) and one["wordTotal"] == sum(d["wordCount"] for d in documents)
            assert one["dueOn"] > one["startsOn"] and (one["priority"] != "rush" or one["budget"])
            assert one["source"] not in one["targets"] and all(d["language"] in one["targets"] for d in documents)
            assert one["status"] != "closed" or all(d["status"] == "delivered" for d in documents)
            assert s.call("GET", f"/projects/{one['code']}")[1] == one
            for d in documents:
                assert (d["status"] == "waiting") == (d["assignment"] is None)
                if d["status"] == "assigned":
                    busy[d["assignment"]["translatorId"]] = busy.get(d["assignment"]["translatorId"], 0) + 1
            for slug in one["glossaries"]:
                assert s.call("GET", f"/glossaries/{slug}")[0] == 200
        for one in s.call("GET", "/translators?pageSize=50")[1]["items"]:
            assert one["openDocuments"] == busy.get(one["id"], 0)
        for one in s.call("GET", "/glossaries")[1]:
            terms = s.call("GET", f"/glossaries/{one['slug']}/terms")[1]
            assert one["termCount"] == len(terms) and len({t["source"].casefold() for t in terms}) == len(terms)


def main() -> None:
    for faults in ("all", "none", *SEQUENCES):
        s = Service(faults)
        try:
            for name, sequence in SEQUENCES.items():
                s.call("POST", "/__reset")
                shows = sequence(s)
                stats = s.call("GET", "/__stats")[1]["stats"]
                met = {key for key, count in stats.items() if key != "requests" and count}
                assert shows == (faults in ("all", name)), (faults, name, shows)
                assert met == ({name} if shows else set()), (faults, name, met)
            print(faults, "as it has to be")
            if faults == "none":
                doc, seen, most = s.call("GET", "/openapi.json")[1], {}, 400
                for seed in range(20):
                    s.call("POST", "/__reset")
                    walk = Walk(doc, seed)
                    for _ in range(most):
                        walk.step(s, seen)
                    walk.sums(s)
                told = {f"{m} {p} {c}" for p, ms in doc["paths"].items() for m, o in ms.items() for c in o["responses"]}
                times = sorted(t for one in seen.values() for t in one)
                print(f"walk: {len(times)} calls, median {times[len(times) // 2] * 1000:.1f} ms, "
                      f"99% {times[len(times) * 99 // 100] * 1000:.1f} ms, longest {times[-1] * 1000:.1f} ms")
                print("documented, not met by the walk:", sorted(told - set(seen)))
        finally:
            s.stop()


main()
