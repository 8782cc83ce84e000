"""Shed: requests that are refused, and what else was seen.

Written by: fossick test openapi.json
"""


def test_the_same_tool_is_made_once_more(anybody):
    # Works only after a reset.

    answer = anybody.post("/tools", json={"name": "Saw", "code": "HA-0001"})
    assert answer.status == 201
    assert answer.number("id") == 1
