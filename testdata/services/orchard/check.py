#!/usr/bin/env python3
"""usage: check.py [PORT]

Plays the requests of every fault with each fault alone, with all and with none, and fails where
a fault that is off shows or one that is on does not.
"""

import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.error
import urllib.request
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
SLOW_SECONDS = 1.0
START_SECONDS = 120  # the virtual environment may have to be made


class Case(NamedTuple):
    """The requests that show a fault, and the outcome of the last with it and without it."""

    requests: list[str]
    wrong: dict
    right: dict


def data(**fields) -> dict:
    return {"data": fields}


def failure(message: str, code: str | None = None, **fields) -> dict:
    extensions = {"code": code} if code else {}
    error = {"message": message, "extensions": extensions}
    return {"data": fields or None, "errors": [error]}


CASES = {
    "T1": Case(
        ['{ search(text: "(") { name } }'],
        wrong=failure("missing ), unterminated subpattern at position 0"),
        right=data(search=[]),
    ),
    "T2": Case(
        [
            'mutation { deleteHarvest(id: "h14") }',
            '{ plot(id: "p8") { lastHarvest { id } } }',
        ],
        wrong=failure("'h14'", plot={"lastHarvest": None}),
        right=data(plot={"lastHarvest": {"id": "h9"}}),
    ),
    "T3": Case(
        ["{ harvests(filter: {minKilos: 20000}) { totalCount totalKilos } }"],
        wrong=failure("Cannot return null for non-nullable field HarvestPage.totalKilos."),
        right=data(harvests={"totalCount": 0, "totalKilos": 0}),
    ),
    "T4": Case(
        [
            'mutation { deleteHarvest(id: "h14") }',
            '{ journal(since: "2030-10-01") { __typename ... on Harvest { id } } }',
        ],
        wrong=data(
            journal=[
                {"__typename": "Harvest", "id": "h14"},
                {"__typename": "Harvest", "id": "h15"},
            ]
        ),
        right=data(journal=[{"__typename": "Harvest", "id": "h15"}]),
    ),
    "T5": Case(
        [
            'mutation { updatePlot(id: "p6", changes: {name: "Hilltop"}) { id } }',
            '{ plot(id: "p6") { name organic } }',
        ],
        wrong=data(plot={"name": "Hilltop", "organic": False}),
        right=data(plot={"name": "Hilltop", "organic": True}),
    ),
    "T6": Case(
        [
            'mutation { addPlot(input: {growerId: "g4", name: "New", areaM2: 500,'
            ' plantings: [{varietyCode: "NONE", trees: 5}]}) { id } }',
            '{ grower(id: "g4") { plotCount plots { name plantings { trees } } } }',
        ],
        wrong=data(grower={"plotCount": 1, "plots": [{"name": "New", "plantings": []}]}),
        right=data(grower={"plotCount": 0, "plots": []}),
    ),
    "T7": Case(
        ["{ harvests(filter: {grade: JUICE}, limit: 1) { totalCount items { id } } }"],
        wrong=data(harvests={"totalCount": 2, "items": []}),
        right=data(harvests={"totalCount": 2, "items": [{"id": "h11"}]}),
    ),
    "T8": Case(
        ['{ plot(id: "p5") { harvestCount harvests { id plot { id } } } }'],
        wrong=data(
            plot={
                "harvestCount": 2,
                "harvests": [
                    {"id": "h10", "plot": {"id": "p5"}},
                    {"id": "h11", "plot": {"id": "p7"}},
                    {"id": "h12", "plot": {"id": "p7"}},
                    {"id": "h15", "plot": {"id": "p5"}},
                ],
            }
        ),
        right=data(
            plot={
                "harvestCount": 2,
                "harvests": [
                    {"id": "h10", "plot": {"id": "p5"}},
                    {"id": "h15", "plot": {"id": "p5"}},
                ],
            }
        ),
    ),
    "T9": Case(
        [
            'mutation { addVariety(input: {code: "MEDLAR", name: "Medlar", fruit: PEAR,'
            " pricePerKilo: 400, ripeFrom: 11, ripeTo: 2}) { ripeFrom ripeTo } }",
            '{ variety(code: "MEDLAR") { ripeFrom ripeTo } }',
        ],
        wrong=data(variety={"ripeFrom": 2, "ripeTo": 11}),
        right=data(variety={"ripeFrom": 11, "ripeTo": 2}),
    ),
    "T10": Case(
        ["{ growers(offset: 1000000) { id } }"],
        wrong=data(growers=[]) | {"slow": True},
        right=data(growers=[]),
    ),
    "T11": Case(
        ['mutation { deleteGrower(id: "g1") }'],
        wrong={
            "data": None,
            "errors": [
                {
                    "message": 'update or delete on table "growers" violates foreign key'
                    ' constraint "plots_grower_id_fkey" on table "plots"'
                    " [SQL: DELETE FROM growers WHERE growers.id = 'g1']",
                    "extensions": {
                        "code": "CONFLICT",
                        "stacktrace": [
                            'File "/srv/orchard/app/resolvers/growers.py", line 88,'
                            " in delete_grower",
                            'File "/srv/orchard/app/storage/session.py", line 41, in flush',
                            "psycopg2.errors.ForeignKeyViolation",
                        ],
                    },
                }
            ],
        },
        right=failure("the grower has plots, which must go to another one first", "CONFLICT"),
    ),
    "T12": Case(
        ['mutation { cancelOrder(id: "o16") { id status } }'],
        wrong=data(cancelOrder={"id": "o16", "status": "CANCELLED"}),
        right=failure("the order is DELIVERED", "CONFLICT"),
    ),
}


class Service:
    """A server with some faults, for as long as a `with` lasts."""

    def __init__(self, port: int, faults: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.port = port
        self.environment = os.environ | {"FAULTS": faults}

    def __enter__(self) -> "Service":
        command = [HERE / "start.sh", str(self.port)]
        self.process = subprocess.Popen(command, env=self.environment)
        try:
            self.wait()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait()

    def wait(self) -> None:
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise SystemExit("the service has ended instead of answering")
            try:
                return self.reset()
            except urllib.error.URLError:
                time.sleep(0.1)
        raise SystemExit("the service does not answer")

    def reset(self) -> None:
        self.post("/__reset", {})

    def post(self, path: str, body: dict) -> dict:
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(
            self.address + path, json.dumps(body).encode(), headers
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def outcome(self, query: str) -> dict:
        """The answer without what is of no interest, and whether it was slow."""
        begin = time.monotonic()
        answer = self.post("/graphql", {"query": query})
        slow = {"slow": True} if time.monotonic() - begin > SLOW_SECONDS else {}
        errors = [
            {"message": error["message"], "extensions": error.get("extensions", {})}
            for error in answer.get("errors", [])
        ]
        return {"data": answer["data"]} | ({"errors": errors} if errors else {}) | slow

    def play(self, case: Case) -> dict:
        self.reset()
        for query in case.requests:
            last = self.outcome(query)
        return last


def problems_of(service: Service, on: set[str]) -> list[str]:
    problems = []
    for name, case in CASES.items():
        expected = case.wrong if name in on else case.right
        outcome = service.play(case)
        if outcome != expected:
            problems.append(f"{name}: expected {expected}, got {outcome}")
    return problems


def undocumented() -> list[str]:
    text = (HERE / "FAULTS.md").read_text()
    return [
        f"{name}: FAULTS.md lacks {query}"
        for name, case in CASES.items()
        for query in case.requests
        if query not in text
    ]


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 27100
    problems = undocumented()
    settings = {"none": set(), "all": set(CASES)} | {name: {name} for name in CASES}
    for faults, on in settings.items():
        with Service(port, faults) as service:
            problems += [f"FAULTS={faults}: {problem}" for problem in problems_of(service, on)]
    print("\n".join(problems) or f"{len(CASES)} faults show where they are on, and only there")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
