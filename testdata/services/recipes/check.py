#!/usr/bin/env python3
"""usage: check.py [PORT] [STEPS]

Plays the requests of every fault with each fault alone, with all and with none, and fails where a fault that is off
shows or one that is on does not. Then sends operations at random, but always the same ones, to the service without
faults: every error must have one of the codes that are documented, no field that can't be null may be so, what is
refused must change nothing, and what the answers tell must fit together.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection

HERE = pathlib.Path(__file__).resolve().parent
PORT = int(sys.argv[1]) if len(sys.argv) > 1 else 26611
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 3000
CODES = {"BAD_USER_INPUT", "NOT_FOUND", "CONFLICT", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED"}


class Service:
    def __init__(self, faults: str) -> None:
        begin = time.perf_counter()
        self.process = subprocess.Popen([HERE / "start.sh", str(PORT)], env=os.environ | {"FAULTS": faults})
        self.line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        for _ in range(500):
            try:
                self.reset()
                self.started_in = time.perf_counter() - begin
                return
            except OSError:
                self.line.close()
                if self.process.poll() is not None:
                    break
                time.sleep(0.02)
        self.stop()
        raise SystemExit("does not start")

    def send(self, method: str, path: str, data: bytes | None = None):
        self.line.request(method, path, data, {"Content-Type": "application/json"})
        answer = self.line.getresponse()
        return answer.status, answer.read()

    def reset(self) -> None:
        assert self.send("POST", "/__reset")[0] == 200

    def stats(self) -> dict:
        return json.loads(self.send("GET", "/__stats")[1])["stats"]

    def ask(self, query: str, variables: dict | None = None) -> dict:
        status, text = self.send("POST", "/graphql", json.dumps({"query": query, "variables": variables}).encode())
        assert status == 200, (query, status, text)
        return json.loads(text)

    def ok(self, query: str):
        answer = self.ask(query)
        assert "errors" not in answer, (query, answer)
        return answer["data"]

    def code(self, query: str) -> str | None:
        errors = self.ask(query).get("errors")
        return errors[0]["extensions"]["code"] if errors else None

    def stop(self) -> None:
        self.line.close()
        self.process.terminate()
        self.process.wait()


def either(got, faulty, right):
    assert got in (faulty, right), got
    return got == faulty


# c1 nora, c2 ravi, c3 tove, c4 marc_p; i5 to i11; r12 Pancakes, r13 Sugar buns, r14 Dal, r15 Rice pudding (DRAFT),
# r16 Leek soup, r17 Cold milk soup (ARCHIVED), r18 Lentil stew; v19 to v23; b24, b25
def empty_bio(s):
    return either(s.code('mutation { addCook(input: {handle: "abc", name: "A", bio: ""}) { id } }'), "INTERNAL_SERVER_ERROR", None)


def no_kcal(s):
    query = 'mutation { addRecipe(input: {cook: "ravi", title: "Air", minutes: 1}) { kcalPerServing } }'
    return either(s.code(query), "INTERNAL_SERVER_ERROR", None)


def review_stays(s):
    s.ok('mutation { deleteReview(id: "v19") }')
    return either(s.ok('{ node(id: "v19") { id } }')["node"], {"id": "v19"}, None)


def tags_lost(s):
    s.ok('mutation { updateRecipe(id: "r12", changes: {title: "Thin pancakes"}) { id } }')
    return either(s.ok('{ recipe(id: "r12") { tags } }')["recipe"]["tags"], [], ["sweet", "quick"])


def count_stays(s):
    s.ok('mutation { deleteReview(id: "v19") }')
    got = s.ok('{ recipe(id: "r12") { reviewCount reviews { id } } }')["recipe"]
    assert got["reviews"] == [{"id": "v20"}]
    return either(got["reviewCount"], 2, 1)


def box_half_filled(s):
    query = 'mutation { fillBox(input: {boxId: "b25", owner: "ravi", recipeIds: ["r12", "r99"]}) { id } }'
    assert s.code(query) == "NOT_FOUND"
    got = [one["id"] for one in s.ok('{ box(id: "b25") { recipes { id } } }')["box"]["recipes"]]
    return either(got, ["r14", "r12"], ["r14"])


def page_loses(s):
    first = s.ok("{ recipes(orderBy: MINUTES, first: 2) { edges { cursor node { id } } } }")["recipes"]["edges"]
    assert [one["node"]["id"] for one in first] == ["r17", "r12"]
    query = f'{{ recipes(orderBy: MINUTES, first: 2, after: "{first[1]["cursor"]}") {{ edges {{ node {{ id }} }} }} }}'
    got = [one["node"]["id"] for one in s.ok(query)["recipes"]["edges"]]
    return either(got, ["r15", "r18"], ["r14", "r16"])


def many_tags(s):
    times = []
    for tags in ('["a", "b", "c"]', '["a", "b", "c", "d"]'):
        begin = time.perf_counter()
        s.ok(f"{{ recipes(filter: {{tags: {tags}}}) {{ totalCount }} }}")
        times.append(time.perf_counter() - begin)
    assert times[0] < 0.8, times
    return times[1] > 1


def no_stars(s):
    query = "{ recipes(filter: {minStars: 4}, orderBy: %s) { edges { node { id averageStars } } } }"
    assert len(s.ok(query % "ADDED")["recipes"]["edges"]) == 2
    got = [one["node"]["averageStars"] for one in s.ok(query % "STARS")["recipes"]["edges"]]
    return either(got, [5.0, 4.5, None, None, None], [5.0, 4.5])


def private_box(s):
    key = s.ok('mutation { addBox(input: {owner: "tove", name: "Secret", private: true}) { id } }')["addBox"]["id"]
    s.ok(f'mutation {{ fillBox(input: {{boxId: "{key}", owner: "tove", recipeIds: ["r14"]}}) {{ id }} }}')
    assert s.ok(f'{{ box(id: "{key}", viewer: "nora") {{ id }} }}')["box"] is None
    assert len(s.ok('{ recipe(id: "r14") { boxes(viewer: "tove") { id } } }')["recipe"]["boxes"]) == 2
    got = [one["id"] for one in s.ok('{ recipe(id: "r14") { boxes(viewer: "nora") { id } } }')["recipe"]["boxes"]]
    return either(got, ["b25", key], ["b25"])


def back_to_draft(s):
    assert s.code('mutation { moveRecipe(id: "r17", to: DRAFT) { id } }') == "CONFLICT"  # has a review
    s.ok('mutation { moveRecipe(id: "r18", to: ARCHIVED) { id } }')
    return either(s.code('mutation { moveRecipe(id: "r18", to: DRAFT) { id } }'), None, "CONFLICT")


def author_gone(s):
    s.ok('mutation { addReview(input: {recipeId: "r18", author: "marc_p", stars: 4}) { id } }')
    s.ok('mutation { deleteCook(handle: "marc_p") }')
    answer = s.ask('{ recipe(id: "r18") { reviews { stars author { handle } } } }')
    assert answer["data"] == {"recipe": {"reviews": [{"stars": 4, "author": None}]}}
    return "errors" in answer


SHOWS = dict(zip((f"G{n}" for n in range(1, 13)), (
    empty_bio, no_kcal, review_stays, tags_lost, count_stays, box_half_filled, page_loses, many_tags, no_stars, private_box,
    back_to_draft, author_gone,
)))


def play(faults: str, on: set[str]) -> float:
    service = Service(faults)
    try:
        for fault, shows in SHOWS.items():
            service.reset()
            shown, met = shows(service), service.stats()[fault]
            assert shown == (fault in on) == (met > 0), f"{fault} with FAULTS={faults}: shown {shown}, met {met}"
        return service.started_in
    finally:
        service.stop()


STATE = """{
  cooks(limit: 50) { id handle name bio bioInitial recipeCount recipes(limit: 50) { id } boxes { id private } }
  ingredients(limit: 50) { id code name unit kcal }
  recipes(first: 50) { totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
    id title cook { handle } servings minutes status tags steps amounts { quantity ingredient { code kcal } } kcalPerServing
    reviews(limit: 50) { id stars text author { handle } recipe { id } } reviewCount averageStars
    boxes { id name private owner { handle } recipes { id } }
  } } }
}"""


class Walk:
    def __init__(self, service: Service) -> None:
        self.service = service
        self.random = random.Random(5)
        answer = service.ask(INTROSPECTION)
        self.types = {one["name"]: one for one in answer["data"]["__schema"]["types"]}
        self.outcomes: dict[str, dict[str, int]] = {}

    def some(self, things):
        return self.random.choice(list(things))

    def value(self, kind: dict, name: str):
        """A value for a variable, now and then one that does not fit."""
        if kind["kind"] == "NON_NULL":
            if self.random.random() < 0.005:
                return None
            return self.value(kind["ofType"], name)
        if self.random.random() < 0.01:
            return self.some((None, True, -1, 2**31, 10**30, 1.5, 1e300, "", "\0", "x" * 301, [], [[1]], {}, {"a": 1}, "\U0001f35e"))
        if kind["kind"] == "LIST":
            return [self.value(kind["ofType"], name) for _ in range(self.some((0, 1, 1, 2, 4)))]
        if kind["kind"] == "ENUM":
            return self.some(self.types[kind["name"]]["enumValues"])["name"]
        if kind["kind"] == "INPUT_OBJECT":
            made = {}
            for field in self.types[kind["name"]]["inputFields"]:
                if field["type"]["kind"] == "NON_NULL" and field["defaultValue"] is None or self.random.random() < 0.5:
                    made[field["name"]] = self.value(field["type"], field["name"])
            return made
        if kind["name"] == "Int":
            if name in ("limit", "first"):
                return self.some((1, 2, 3, 10, 50, 50, 51, 0))
            return self.some((0, 1, 1, 2, 3, 4, 5, 30, 45, 100, -1, 2**31 - 1))
        if kind["name"] == "Float":
            return self.some((1, 2.5, 4, 5, 0, 6.0))
        if kind["name"] == "Boolean":
            return self.some((True, False))
        if name in ("cook", "author", "owner", "viewer", "handle"):
            return self.some(("nora", "ravi", "tove", "marc_p", "abc", "abd", "x", "Nora"))
        if name in ("code", "ingredientCode"):
            return self.some(("FLOUR", "MILK", "LEEK", "SAFFRON", "OIL", "EGG", "x"))
        if kind["name"] == "ID":
            letter = {"boxId": "b", "recipeId": "r", "recipeIds": "r"}.get(name) or self.letter
            return self.some(self.ids.get(letter) or ["x"]) if self.random.random() < 0.9 else self.some(("x", 1, "r999", ""))
        if name == "after":
            return self.some(self.cursors) if self.random.random() < 0.9 else self.some(("", "x", "é", "cmVjaXBlOng=", "/w=="))
        if name == "tags":
            return self.some(("sweet", "quick", "vegan", "a-b", "A"))
        return self.some(("a", "Lea", "soup", " ", "", "Ä" * 40, "x" * 61, "\0", "(", "%", "\u2028"))

    def selection(self, kind: dict, depth: int) -> str:
        while kind["ofType"]:
            kind = kind["ofType"]
        if kind["kind"] in ("SCALAR", "ENUM"):
            return ""
        if kind["kind"] in ("UNION", "INTERFACE"):
            parts = [
                f"... on {one['name']} {self.selection(one | {'ofType': None}, depth)}"
                for one in self.types[kind["name"]]["possibleTypes"]
            ]
            # fields of different types may have different types themselves, so each is asked for alone
            return "{ __typename " + self.some(parts) + " }"
        parts = ["__typename"]
        for field in self.types[kind["name"]]["fields"]:
            below = field["type"]
            while below["ofType"]:
                below = below["ofType"]
            if below["kind"] in ("SCALAR", "ENUM") or depth > 0:
                parts.append(f"{field['name']} {self.selection(field['type'], depth - 1)}")
        return "{ " + " ".join(parts) + " }"

    def fits(self, value, kind: dict, where: str) -> None:
        if kind["kind"] == "NON_NULL":
            assert value is not None, where
            return self.fits(value, kind["ofType"], where)
        if value is None:
            return
        if kind["kind"] == "LIST":
            for one in value:
                self.fits(one, kind["ofType"], where)
        elif kind["kind"] in ("OBJECT", "UNION", "INTERFACE"):
            fields = {one["name"]: one["type"] for one in self.types[value["__typename"]]["fields"]}
            for name, one in value.items():
                if name != "__typename":
                    self.fits(one, fields[name], f"{where}.{name}")
        elif kind["kind"] == "ENUM":
            assert value in {one["name"] for one in self.types[kind["name"]]["enumValues"]}, where
        else:
            wanted = {"Int": int, "Float": (int, float), "String": str, "ID": str, "Boolean": bool}[kind["name"]]
            assert isinstance(value, wanted), (where, value)

    def state(self) -> dict:
        state = self.service.ok(STATE)
        edges = state["recipes"]["edges"]
        recipes = [one["node"] for one in edges]
        self.cursors = [one["cursor"] for one in edges]
        self.ids = {
            "c": [one["id"] for one in state["cooks"]], "i": [one["id"] for one in state["ingredients"]],
            "r": [one["id"] for one in recipes], "v": [v["id"] for one in recipes for v in one["reviews"]],
            "b": [b["id"] for one in state["cooks"] for b in one["boxes"]],
        }
        assert state["recipes"]["totalCount"] == len(recipes) or len(recipes) == 50
        for cook in state["cooks"]:
            own = [one["id"] for one in recipes if one["cook"]["handle"] == cook["handle"]]
            assert len(recipes) == 50 or cook["recipeCount"] == len(own) and [one["id"] for one in cook["recipes"]] == own
            assert not any(box["private"] for box in cook["boxes"])
        for one in recipes:
            stars = [v["stars"] for v in one["reviews"]]
            assert one["reviewCount"] == len(stars)
            assert one["averageStars"] == (round(sum(stars) / len(stars), 2) if stars else None)
            kcal = sum(a["quantity"] * a["ingredient"]["kcal"] for a in one["amounts"]) // 100 // one["servings"]
            assert one["kcalPerServing"] == kcal
            assert all(not b["private"] and {"id": one["id"]} in b["recipes"] for b in one["boxes"])
            assert one["status"] == "DRAFT" or one["steps"]
        return state

    def step(self) -> None:
        root = self.some(("Query", "Mutation", "Mutation"))
        field = self.some(self.types[root]["fields"])
        known = {"recipe": "r", "box": "b", "updateRecipe": "r", "moveRecipe": "r", "deleteReview": "v"}
        self.letter = known.get(field["name"]) or self.some("crvbi")
        variables, declared, used = {}, [], []
        for arg in field["args"]:
            if arg["type"]["kind"] == "NON_NULL" and arg["defaultValue"] is None or self.random.random() < 0.5:
                variables[arg["name"]] = self.value(arg["type"], arg["name"])
                declared.append(f"${arg['name']}: {type_text(arg['type'])}")
                used.append(f"{arg['name']}: ${arg['name']}")
        query = (
            f"{root.lower()} {'(' + ', '.join(declared) + ')' if declared else ''} {{ {field['name']}"
            f"{'(' + ', '.join(used) + ')' if used else ''} {self.selection(field['type'], 2)} }}"
        )
        answer = self.service.ask(query, variables)
        where = (query, variables, answer)
        codes = [one["extensions"]["code"] for one in answer.get("errors", ())]
        assert set(codes) <= CODES, where
        data = answer.get("data")
        if not codes:
            self.fits(data[field["name"]], field["type"], field["name"])
        seen = self.outcomes.setdefault(field["name"], {})
        seen[codes[0] if codes else "data"] = seen.get(codes[0] if codes else "data", 0) + 1
        now = self.state()
        if root == "Query" or codes:
            assert now == self.before, where
        if field["name"] == "recipes" and not codes:
            self.listed(variables, data["recipes"], now)
        self.before = now

    def listed(self, asked: dict, got: dict, state: dict) -> None:
        if state["recipes"]["totalCount"] > 50:
            return
        every, wanted = [one["node"] for one in state["recipes"]["edges"]], asked.get("filter") or {}
        order = asked.get("orderBy", "ADDED")
        number = {one["id"]: place for place, one in enumerate(every)}
        keys = {
            "ADDED": lambda one: number[one["id"]], "TITLE": lambda one: (one["title"], number[one["id"]]),
            "MINUTES": lambda one: (one["minutes"], number[one["id"]]),
            "STARS": lambda one: (-(one["averageStars"] or 0), number[one["id"]]),
        }
        keep = lambda one: (
            (wanted.get("status") or one["status"]) == one["status"]
            and (one["cook"]["handle"] if wanted.get("cook") is None else wanted["cook"]) == one["cook"]["handle"]
            and set(tags_of(wanted)) <= set(one["tags"])
            and (wanted.get("minStars") is None or (one["averageStars"] or 0) >= wanted["minStars"])
            and (wanted.get("maxMinutes") is None or one["minutes"] <= wanted["maxMinutes"])
            and (
                wanted.get("ingredientCode") is None
                or wanted["ingredientCode"] in {a["ingredient"]["code"] for a in one["amounts"]}
            )
        )
        hits = sorted(filter(keep, every), key=keys[order])
        later = hits
        if asked.get("after") is not None:
            place = every[self.cursors.index(asked["after"])]
            later = [one for one in hits if keys[order](one) > keys[order](place)]
        first = asked.get("first", 10)
        assert [one["node"]["id"] for one in got["edges"]] == [one["id"] for one in later[:first]], (asked, got)
        assert got["totalCount"] == len(hits) and got["pageInfo"]["hasNextPage"] == (len(later) > first), (asked, got)

    def run(self) -> None:
        for step in range(STEPS):
            if step % 500 == 0:
                self.service.reset()
                self.before = self.state()
            self.step()
        self.nonsense()

    def nonsense(self) -> None:
        before = self.state()
        for raw in (
            b"", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 50_000, b"null", b"[]", b"1", b'"x"', b"{}", b'{"query": 1}',
            b'{"query": "{x}", "variables": []}', b'{"query": "{x}", "operationName": 1}', b'{"query": "\\ud800"}',
            b'{"query": "{a}", "variables": {"a": "\\udfff"}}', b'{"query": "{a}", "variables": {"\\ud800": 1}}',
            b'{"query": "{a}", "variables": {"a": NaN}}', b'{"query": "{a}", "variables": {"a": ' + b"9" * 5000 + b"}}",
            b'[{"query": "{__typename}"}]', b'{"query": null}',
        ):
            status, text = self.service.send("POST", "/graphql", raw)
            assert status == 400 and json.loads(text)["errors"][0]["extensions"]["code"] == "BAD_REQUEST", (raw[:40], status, text)
        deep = '{ cook(handle: "nora") ' + "{ recipes { cook " * 8 + "{ id }" + " } }" * 8 + " }"
        far = '{ recipe(id: "r12") { ' + " ".join(f"a{n}: cook {{ recipes {{ id }} }}" for n in range(400)) + " } }"
        for query in (
            "", "{", "x", "\0", "{" * 5000, "{a" * 3000, "{ a(b: " + "[" * 3000, deep, '{ search(text: "\\ud800") { __typename } }',
            '{ search(text: "\\ud83c\\udf5e") { __typename } }', '{ search(text: "\\u0000") { __typename } }', far,
            "{ cooks(limit: " + "9" * 5000 + ") { id } }", "{ cooks(limit: 99999999999) { id } }", "{ node(id: " + "9" * 5000 + ") { id } }",
            "{ recipes(filter: {minStars: 1e999}) { totalCount } }", "{ recipes(filter: {minStars: " + "9" * 5000 + "}) { totalCount } }",
            "subscription { x }", "type A { a: Int }", "query A { __typename } query B { __typename }", "{ ...A } fragment A on Query { ...A }",
            "{ __schema { types " + "{ fields { type " * 6 + "{ name }" + " } }" * 6 + " } }", "{ a: __typename @skip(if: 1) }",
            "{ recipes { edges { node { cook { recipes(limit: 51) { id } } } } } }", "query ($a: Int!) { cooks(limit: $a) { id } }",
            '{ cooks(nameContains: """' + "x" * 100_000 + '""") { id } }', "{ __type(name: " + '"Cook") { name ofType' + " { ofType" * 150 + " { name }" + " }" * 152,
            "{ " + "cooks { id } " * 4000 + "}", "mutation { deleteCook }", "{ recipes(first: null) { totalCount } }",
        ):
            answer = self.service.ask(query)
            assert {one["extensions"]["code"] for one in answer.get("errors", ())} <= CODES, (query[:80], answer)
        assert self.service.send("GET", "/graphql")[0] == 405 and self.service.send("POST", "/x")[0] == 404
        assert self.service.code(deep) == "BAD_USER_INPUT"
        assert self.state() == before


def tags_of(wanted: dict) -> list:
    tags = wanted.get("tags") or []
    return [tags] if isinstance(tags, str) else tags


def type_text(kind: dict) -> str:
    if kind["kind"] == "NON_NULL":
        return type_text(kind["ofType"]) + "!"
    return f"[{type_text(kind['ofType'])}]" if kind["kind"] == "LIST" else kind["name"]


TYPE = "{ kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }"
INTROSPECTION = f"""{{ __schema {{ types {{
  name kind enumValues {{ name }} possibleTypes {{ name kind }} inputFields {{ name defaultValue type {TYPE} }}
  fields {{ name type {TYPE} args {{ name defaultValue type {TYPE} }} }}
}} }} }}"""


def filled(kind):
    """The innermost type of an introspection has no ofType asked for."""
    if isinstance(kind, dict):
        if "kind" in kind and "name" in kind:
            kind.setdefault("ofType", None)
        for one in kind.values():
            filled(one)
    elif isinstance(kind, list):
        for one in kind:
            filled(one)
    return kind


def race(service: Service) -> None:
    service.reset()
    got: list[bool] = []

    def want() -> None:
        line = HTTPConnection("127.0.0.1", PORT, timeout=30)
        query = 'mutation { addCook(input: {handle: "same", name: "A"}) { id } }'
        line.request("POST", "/graphql", json.dumps({"query": query}), {"Content-Type": "application/json"})
        got.append("errors" not in json.loads(line.getresponse().read()))
        line.close()

    threads = [threading.Thread(target=want) for _ in range(30)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sum(got) == 1 and len(got) == 30, got


def main() -> None:
    took = [play("none", set()), play("", set()), play("all", set(SHOWS))] + [play(fault, {fault}) for fault in SHOWS]
    print(f"{len(SHOWS)} faults show where they are on, and only there; the slowest start took {max(took):.2f} s")
    service = Service("none")
    try:
        walk = Walk(service)
        filled(walk.types)
        walk.run()
        race(service)
        stats = service.stats()
        assert not any(stats[fault] for fault in SHOWS), stats
        print(f"walked {STEPS} steps")
        print(json.dumps(walk.outcomes))
    finally:
        service.stop()


if __name__ == "__main__":
    main()
