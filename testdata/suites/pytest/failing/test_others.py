"""Shed: requests that are refused, and what else was seen.

Written by: fossick test openapi.json --seed 1
"""


def test_tool_without_a_code_is_refused(alice, fresh):
    name = fresh("amber-x6fch")

    answer = alice.post("/tools", json={"name": name})
    assert answer.status == 400
    assert answer.media_type == "application/problem+json"
    assert answer.number("status") == 400
    assert answer.kind("detail") == "string"

    # Step 2: sends JSON that breaks off.
    answer = alice.post(
        "/tools",
        content=f'{{"name": "{name}", ',
        media_type="application/json",
    )
    assert answer.status == 400


def test_loans_need_a_token(anybody, alice, bob):
    answer = anybody.get("/staff/loans")
    assert answer.status == 401
    assert answer.media_type == "application/problem+json"
    assert answer.lacks("loans")
    scheme = answer.header("WWW-Authenticate")

    answer = anybody.post("/measure", json={"scheme": scheme})
    assert answer.status == 200
    assert answer.kind("size") == "integer"

    answer = alice.get("/staff/loans")
    assert answer.status == 200
    assert answer.at("by") == "demo"
    assert answer.size("loans") == 0

    answer = bob.get("/staff/loans")
    assert answer.status == 200
    assert answer.at("by") == "-bob"


def test_tool_that_nobody_has_is_not_found(alice):
    answer = alice.get("/tools/999999999")
    assert answer.status == 404
    assert answer.media_type == "application/problem+json"
    assert answer.at("detail") == "there is no such tool"
