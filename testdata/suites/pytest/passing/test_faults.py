"""Shed: suspected faults.

Written by: fossick test openapi.json --seed 1
"""


def test_deleted_repair_is_still_served(alice, fresh):
    # A repair is made and deleted; then somebody looks for it.
    # It should be gone: 404 or 410.
    # Suspected fault F301, still served after it was deleted: DELETE answered 204, and
    # the same path answers 200 afterwards with the repair as it was before it was
    # deleted.
    name = fresh("spirit level x6fch")

    # Step 1: makes a tool.
    answer = alice.post(
        "/tools",
        json={"name": name, "code": "ME-0042", "tags": ["level", "blue"]},
    )
    assert answer.status == 201
    assert answer.media_type == "application/json"
    tool_id = answer.location()

    # Step 2: makes a repair.
    answer = alice.post(
        "/tools/{tool_id}/repairs",
        tool_id=tool_id,
        json={"note": "New handle", "hours": 1.5, "urgent": False},
    )
    assert answer.status == 201
    repair_id = answer.take("/id")

    answer = alice.delete(
        "/tools/{tool_id}/repairs/{repair_id}",
        tool_id=tool_id,
        repair_id=repair_id,
    )
    assert answer.status == 204
    assert not answer.content

    # Step 4: looks at what is gone.
    answer = alice.get(
        "/tools/{tool_id}/repairs/{repair_id}",
        tool_id=tool_id,
        repair_id=repair_id,
    )
    # The suspected fault: F301, still served after it was deleted.
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.same(repair_id, "id")
    assert answer.kind("tool") == "integer"
    assert answer.at("note") == "New handle"
    assert answer.number("hours") == 1.5
    assert answer.at("urgent") is False


def test_ledger_is_shown_to_anybody(alice, anybody):
    # Suspected fault F401, authentication ignored: The contract asks for a token; the
    # request had none.

    # Step 1: somebody of the staff may see it.
    answer = alice.get("/staff/ledger")
    assert answer.status == 200

    # Step 2: so may everybody else.
    answer = anybody.get("/staff/ledger")
    # The suspected fault: F401, authentication ignored.
    assert answer.status == 200
    assert answer.size("loans") == 0


def test_fee_of_the_ledger_is_a_text(bob):
    # Suspected fault F201, answer breaks its schema: /fee is a string where a number is
    # promised. * / ? > -- > ''' """ \ #

    answer = bob.get("/staff/ledger")
    assert answer.status == 200
    assert answer.media_type == "application/json"
    # The suspected fault: F201, answer breaks its schema.
    assert answer.kind("fee") == "string"
    assert answer.at("fee") == "12"


def test_size_of_a_listed_tool_is_a_text(alice, fresh):
    # Suspected fault F201, answer breaks its schema: size is a string where a number is
    # promised.
    name = fresh("plane-k3x9q")

    # Step 1: makes a tool.
    answer = alice.post("/tools", json={"name": name, "code": "LI-0007", "size": 3})
    assert answer.status == 201
    assert answer.kind("id") == "integer"
    tool_id = answer.take("/id")

    answer = alice.get("/tools")
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.kind() == "array"
    assert answer.same(name, {"id": tool_id}, "name")
    # The suspected fault: F201, answer breaks its schema.
    assert answer.kind({"id": tool_id}, "size") == "string"


def test_limit_of_73_ends_in_a_crash(alice):
    # Any other limit is served.
    # Suspected fault F101, server error: The service answered 500 to a request that the
    # contract allows.

    answer = alice.get("/tools?limit=73&available=true")
    # The suspected fault: F101, server error.
    assert answer.status == 500
    assert answer.media_type == "application/problem+json"
    assert answer.at("detail") == "something went wrong in here"
