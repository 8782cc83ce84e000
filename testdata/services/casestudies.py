"""How the case studies are checked: each service of a folder by the calls that it should answer.

A service is whatever has a `start.sh`. REST services answer paths with a status and a text, or with
a status and anything where the text is None. GraphQL services answer operations with data, and with
errors where a field is null.
"""

import json
import pathlib
import sys

from running import Service

Answers = dict[str, tuple[int, object]]


def check(folder: pathlib.Path, rest: Answers, graphql: dict[str, dict]) -> None:
    names = sys.argv[1:] or sorted(script.parent.name for script in folder.glob("*/start.sh"))
    problems = []
    for name in names:
        with Service(folder / name) as service:
            if name.endswith("-graphql"):
                found = graphql_problems(service, graphql)
            else:
                found = rest_problems(service, rest)
        problems += [f"{name}: {problem}" for problem in found]
    asked = f"{folder.name}: {len(rest)} paths and {len(graphql)} operations"
    print("\n".join(problems) or f"{asked} of {', '.join(names)}")
    sys.exit(bool(problems))


def rest_problems(service: Service, answers: Answers) -> list[str]:
    problems = []
    for path, (status, expected) in answers.items():
        answer = service.send("GET", path)
        if answer[0] != status or (expected is not None and not same(answer[1], expected)):
            problems.append(f"{path} answers {answer}")
    declared = json.loads(service.send("GET", "/openapi.json")[1])["paths"]
    called = {path.split("/")[2].split("?")[0] for path in answers}
    left = {path for path in declared if path.split("/")[2] not in called}
    return [*problems, *(f"{path} is not called" for path in sorted(left))]


def graphql_problems(service: Service, answers: dict[str, dict]) -> list[str]:
    problems = []
    for operation, expected in answers.items():
        body = json.dumps({"query": operation})
        headers = {"Content-Type": "application/json"}
        status, text = service.send("POST", "/graphql", headers, body)
        answer = json.loads(text)
        failed = {error["path"][0] for error in answer.get("errors", [])}
        nulls = {field for field, value in expected.items() if value is None}
        if status != 200 or not same(answer["data"], expected) or failed != nulls:
            problems.append(f"{operation} answers {status} {text}")
    return problems


def same(actual: object, expected: object) -> bool:
    """Whether an answer is the expected one; numbers may differ in their last digits."""
    if isinstance(expected, float):
        return isinstance(actual, (int, float)) and abs(actual - expected) < 1e-6
    if isinstance(expected, dict):
        told = json.loads(actual) if isinstance(actual, str) else actual
        return told.keys() == expected.keys() and all(
            same(told[key], value) for key, value in expected.items()
        )
    return actual == expected
