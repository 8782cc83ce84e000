#!/usr/bin/env python3
"""usage: check.py [SERVICE ...]

Starts the services, all of them where none is named, and opens every gate that they have by the
calls in gates.md. Fails where a gate stays shut, where one opens by other values, without its
headers or without the calls before the last, and where a line is not marked as gates.md tells.
"""

import json
import pathlib
import re
import sys
import urllib.parse
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from running import Service

REST = {
    "python": "full",
    "node": "full",
    "java": "full",
    "rust": "full",
    "flask": "small",
    "fastify": "small",
    "kotlin": "small",
}
GRAPHQL = ("python-graphql", "node-graphql")
CALL = re.compile(r"(GET|PUT|POST) (\S+)(?: \[([^\]]+)\])?(?: (.+))?")
OPERATION = re.compile(r"(?:\[([^\]]+)\] )?(.+)")
HOLE = re.compile(r"<([^<>]+)>")


class Call(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: str  # JSON, a form, or nothing


class Gate(NamedTuple):
    name: str
    module: str  # `gates` or `app`
    services: tuple[str, ...]
    calls: list[Call]


def read_gates() -> list[Gate]:
    rest, graphql = (HERE / "gates.md").read_text().split("## GraphQL")
    return [*gates_of(rest, tuple(REST)), *gates_of(graphql, GRAPHQL)]


def gates_of(text: str, every: tuple[str, ...]) -> list[Gate]:
    gates = []
    for row in re.findall(r"^\| ([a-z].*) \|$", text, re.MULTILINE):
        name, _, module, services, calls = row.split(" | ")
        if name != "gate":
            calls = [call_of(text) for text in re.findall(r"`([^`]+)`", calls)]
            gates.append(Gate(name, module, served_by(services, every), calls))
    return gates


def served_by(word: str, every: tuple[str, ...]) -> tuple[str, ...]:
    if word == "all":
        return every
    if word == "full":
        return tuple(service for service in every if REST[service] == "full")
    return tuple(word.split(", "))


def call_of(text: str) -> Call:
    if match := CALL.fullmatch(text):
        method, path, header, body = match.groups()
        return Call(method, path, header_of(header), body or "")
    header, operation = OPERATION.fullmatch(text).groups()
    return Call("POST", "/graphql", header_of(header), json.dumps({"query": operation}))


def header_of(text: str | None) -> dict[str, str]:
    return dict([text.split(": ")]) if text else {}


class Gates(Service):
    def reset(self) -> None:
        self.tell(Call("POST", "/__reset", {}, ""))

    def tell(self, call: Call) -> dict:
        headers = call.headers
        if call.body:
            form = not call.body.startswith("{")
            kind = "application/x-www-form-urlencoded" if form else "application/json"
            headers = headers | {"Content-Type": kind}
        status, text = self.send(call.method, call.path, headers, call.body)
        if status != 200:
            return {"status": status}
        return json.loads(text) if text else {}

    def play(self, calls: list[Call]) -> object:
        """What the last of the calls answered; of GraphQL, its field."""
        self.reset()
        answers = []
        for call in calls:
            path = HOLE.sub(lambda hole: filled(hole[1], answers), call.path)
            answers.append(self.tell(call._replace(path=path)))
        last = answers[-1]
        if "errors" in last:
            return last["errors"]
        return next(iter(last["data"].values())) if "data" in last else last


def filled(hole: str, answers: list[dict]) -> str:
    parts = (part.split(".") for part in hole.split("+"))
    return str(sum(answers[int(place) - 1][key] for place, key in parts))


def dull(call: Call) -> Call:
    """The same call with values that open nothing, and without its headers."""
    path, _, query = call.path.partition("?")
    if query:
        told = urllib.parse.parse_qsl(query)
        query = "?" + urllib.parse.urlencode({key: dull_value(value) for key, value in told})
    elif path.count("/") > 1:
        path = "/".join([*path.split("/")[:-1], dull_value(path.split("/")[-1])])
    return Call(call.method, path + query, {}, dull_body(call.body))


def dull_value(text: str) -> str:
    return "1" if re.fullmatch(r"-?[0-9.]+|<.+>", text) else "dull"


def dull_body(text: str) -> str:
    if not text.startswith("{"):
        return re.sub(r"=[^&]+", "=dull", text)
    body = json.loads(text)
    if operation := body.get("query"):
        texts = re.sub(r'"(\\.|[^"\\])*"', '"dull"', operation)
        return json.dumps({"query": re.sub(r"\b[0-9]+\b", "1", texts)})
    return json.dumps(dull_json(body))


def dull_json(value: object) -> object:
    if isinstance(value, dict):
        return {key: dull_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [dull_json(inner) for inner in value]
    return "dull" if isinstance(value, str) else 1


def shut(gate: Gate) -> list[Call]:
    """Calls that must not open a gate: no others before the last, or other values."""
    if len(gate.calls) > 1 and not HOLE.search(gate.calls[-1].path):
        return gate.calls[-1:]
    return [dull(gate.calls[-1])]


def problems_of(service: Gates, gates: list[Gate]) -> list[str]:
    problems = []
    for gate in gates:
        for calls, opens in ((shut(gate), False), (gate.calls, True)):
            answer = service.play(calls)
            if answer != {"gate": gate.name, "open": opens}:
                problems.append(
                    f"{service.folder.name}: {gate.name}: {answer}, though open is {opens}"
                )
    return problems


def module_of(service: str, module: str) -> pathlib.Path:
    """The file that has the line of a gate."""
    if ending := {"java": ".java", "kotlin": ".kt"}.get(service):
        name = "Gates" if module == "gates" else "GatesController"
        return HERE / service / "src/main" / service / "services/gates" / (name + ending)
    if service == "rust":
        return HERE / "rust/src" / {"gates": "gates.rs", "app": "main.rs"}[module]
    python = service in ("python", "flask", "python-graphql")
    folder = service if module == "app" else "python" if python else "node"
    return HERE / folder / (module + (".py" if python else ".js"))


def unmarked(gates: list[Gate]) -> list[str]:
    told: dict[pathlib.Path, set[str]] = {}
    for gate in gates:
        for service in gate.services:
            told.setdefault(module_of(service, gate.module), set()).add(gate.name)
    problems = []
    for file, names in told.items():
        marks = re.findall(r"(?:#|//) gate: ([a-z0-9-]+)$", file.read_text(), re.MULTILINE)
        if sorted(marks) != sorted(names):
            differing = set(marks) ^ names or "one of them is there twice"
            problems.append(f"{file.relative_to(HERE)}: gates.md tells other marks: {differing}")
    return problems


def main() -> None:
    gates = read_gates()
    problems = unmarked(gates)
    opened = 0
    for name in sys.argv[1:] or (*REST, *GRAPHQL):
        own = [gate for gate in gates if name in gate.services]
        with Gates(HERE / name) as service:
            problems += problems_of(service, own)
        opened += len(own)
    print("\n".join(problems) or f"{opened} gates open as gates.md tells, and only so")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
