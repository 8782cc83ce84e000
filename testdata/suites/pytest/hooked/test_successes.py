"""Shed: requests that succeed.

Written by: fossick test openapi.json
"""


def test_tool_of_a_known_name_is_made(anybody):
    answer = anybody.post("/tools", json={"name": "Saw", "code": "HA-0001"})
    assert answer.status == 201
    assert answer.number("id") == 1
