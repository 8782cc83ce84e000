"""Shed: requests that succeed.

Written by: fossick test openapi.json --seed 1
"""


def test_tool_is_made_and_read_back(alice, fresh):
    mark = fresh("Ab-9z9Z9")
    code = fresh("ZZ-1234")

    # Step 1: makes a tool.
    answer = alice.post(
        "/tools",
        json={
            "name": f"Spirit level {mark}",
            "code": code,
            "deposit": 900,
            "boughtOn": None,
            "tags": ["level", f"{mark}!", "blue"],
            "maker": {"name": 'O\'Brien & "Sons"', "towns": []},
        },
    )
    assert answer.status == 201
    assert answer.media_type == "application/json"
    assert answer.kind("id") == "integer"
    assert answer.kind("name") == "string"
    assert answer.same(code, "code")
    assert answer.number("deposit") == 900
    assert answer.at("boughtOn") is None
    assert answer.size("tags") == 3
    assert answer.at("tags", 0) == "level"
    assert answer.at("tags", 2) == "blue"
    assert answer.lacks("tags", 3)
    assert answer.kind("maker") == "object"
    assert answer.at("maker", "name") == 'O\'Brien & "Sons"'
    assert answer.size("maker", "towns") == 0
    assert answer.lacks("pin")
    assert not answer.problems("Tool")
    tool_id = answer.location()
    tag = answer.header("ETag")
    number = answer.take("/id")
    tags = answer.take("/tags")

    # Step 2: reads it back.
    answer = alice.get("/tools/{tool_id}", tool_id=tool_id)
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.same(number, "id")
    assert answer.same(tags, "tags")
    assert not answer.problems("Tool")

    # Step 3: asks whether it has changed.
    answer = alice.get(
        "/tools/{tool_id}",
        tool_id=tool_id,
        headers={"If-None-Match": tag, "Accept": "application/json"},
    )
    assert answer.status == 304
    assert not answer.content

    answer = alice.head("/tools/{tool_id}", tool_id=tool_id)
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert not answer.content


def test_tool_is_found_by_a_name_that_needs_escapes(alice, bob, fresh):
    # The name has a slash, a space, an apostrophe and letters beyond ASCII.
    name = fresh('Zoë\'s 1/2 saw & 100% "x6fch"')

    # Step 1: makes a tool.
    answer = alice.post(
        "/tools",
        json={"name": name, "code": "ME-0042", "tags": ["level", "blue"]},
    )
    assert answer.status == 201
    assert answer.media_type == "application/json"
    number = answer.take("/id")

    answer = bob.get("/tools?sort=id&name={name}", name=name)
    assert answer.status == 200
    assert answer.size() == 1
    assert answer.same(number, 0, "id")
    assert answer.same(name, 0, "name")

    # Step 3: has moved; nobody follows.
    answer = bob.get("/former/{name}", name=name)
    assert answer.status == 301
    assert not answer.content
    there = answer.location()

    answer = bob.get("/named/{there}", there=there)
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.same(name, "name")
    assert answer.same(there, "name")

    # Step 5: asks GraphQL for it.
    answer = bob.post(
        "/graphql",
        json={
            "query": "query Tool($name: String!) {\n  tool(name: $name) {\n    id\n    name\n  }\n}",
            "variables": {"name": name},
            "operationName": "Tool",
        },
    )
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.lacks("errors")
    assert answer.same(number, "data", "tool", "id")
    assert answer.same(name, "data", "tool", "name")


def test_tool_is_listed_among_those_of_others(alice, bob, fresh):
    # Where it stands in the lists is a matter of what others made.
    name = fresh("plane-k3x9q")

    # Step 1: makes a tool.
    answer = alice.post(
        "/tools",
        json={
            "name": name,
            "code": "LI-0007",
            "tags": ["level", "blue"],
            "boughtOn": None,
        },
    )
    assert answer.status == 201
    assert answer.kind("id") == "integer"
    tool_id = answer.take("/id")

    answer = alice.get("/tools")
    assert answer.status == 200
    assert answer.kind() == "array"
    assert answer.kind({"id": tool_id}) == "object"
    assert answer.same(tool_id, {"id": tool_id}, "id")
    assert answer.at({"id": tool_id}, "code") == "LI-0007"
    assert answer.at({"id": tool_id}, "boughtOn") is None
    assert answer.size({"id": tool_id}, "tags") == 2
    assert answer.at({"id": tool_id}, "tags", 1) == "blue"
    assert answer.lacks({"id": tool_id}, "pin")

    # Step 3: asks for pages.
    answer = bob.get("/catalogue")
    assert answer.status == 200
    assert answer.kind("catalogue", "edges") == "array"
    value = answer.same(
        name,
        "catalogue",
        "edges",
        {"node": {"id": tool_id}},
        "node",
        "name",
    )
    assert value, answer
    value = answer.same(
        tool_id,
        "catalogue",
        "edges",
        {"node": {"name": name}},
        "node",
        "id",
    )
    assert value, answer
    value = answer.kind("catalogue", "edges", {"node": {"name": name}}, "node", "id")
    assert value in ("integer", "number"), answer
    assert answer.same(name, "catalogue", "names", [name])
    assert answer.lacks("catalogue", "edges", {"id": tool_id})

    # Step 4: looks where it is not.
    answer = alice.get("/tools?name=nobody")
    assert answer.status == 200
    assert answer.lacks({"id": tool_id})


def test_odd_texts_come_as_they_are(anybody):
    # Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor -- >
    # nor \u002a/ nor ${x} nor {{x}}.

    answer = anybody.get("/odd")
    assert answer.status == 200
    assert answer.media_type == "application/json"
    assert answer.at('it\'s "quoted"') == "'; DROP TABLE tools; -- \" \\ `"
    assert answer.at("a/b~c.d") == "${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s"
    assert answer.at("$ref") == "*/ // ?> --> <!-- ]]> </script> <?php"
    expected = "line one\nline two\r\n\ttab\x0c\x08\x01\x7f\x85\u2028\u2029end"
    assert answer.at("") == expected
    assert answer.at("0") == "\\u0022 \\x22 \\n \\' \\\" \\\\ \\"
    assert answer.at("unicode") == "Zoë 木 \U0001f6e0 \u202e\ufeff e\u0301"
    expected = "A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, "
    assert answer.at("long") == expected
    assert answer.size("numbers") == 7
    assert answer.number("numbers", 0) == 0
    assert answer.number("numbers", 1) == -1
    assert answer.number("numbers", 2) == 2.5
    assert answer.number("numbers", 3) == 1e-7
    assert answer.number("numbers", 4) == 1e300
    assert answer.number("numbers", 5) == 9007199254740993
    assert answer.number("numbers", 6) == 18446744073709551615
    assert answer.size("scalars") == 6
    assert answer.at("scalars", 0) is True
    assert answer.at("scalars", 1) is False
    assert answer.at("scalars", 2) is None
    assert answer.at("scalars", 3) == ""
    assert answer.kind("scalars", 4) == "object"
    assert answer.size("scalars", 5) == 0
    assert answer.size("deep") == 1
    assert answer.size("deep", 0) == 1
    assert answer.size("deep", 0, 0, "deeper") == 1
    assert answer.at("deep", 0, 0, "deeper", 0, "deepest") == "here"
    assert answer.kind("numbers", 0) == "integer"
    assert answer.kind("numbers", 0) in ("integer", "number")
    assert answer.kind("numbers", 2) in ("integer", "number")
    assert answer.kind("scalars", 0) == "boolean"
    assert answer.kind("scalars", 2) == "null"
    assert answer.kind("scalars", 5) == "array"
    assert answer.lacks("scalars", 6)
    assert answer.lacks("deep", 0, 0, "shallow")
    assert answer.kind() == "object"
    assert not answer.problems("Odd */ '\" thing")


def test_bodies_go_out_as_they_are(anybody, fresh):
    mark = fresh("a1B2c3")

    answer = anybody.post(
        "/echo",
        content='line one\nit\'s "two" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é ',
        media_type="text/plain",
    )
    assert answer.status == 200
    assert answer.media_type == "text/plain"
    expected = 'line one\nit\'s "two" \\ ${HOME} {{x}} `id` $(id) %s\r\n\tend é '
    assert answer.text == expected

    answer = anybody.post(
        "/measure",
        headers={"X-Note": f"mark is '{mark}'"},
        content=f"mark={mark}&more=%20",
        media_type="application/x-www-form-urlencoded",
    )
    assert answer.status == 200
    assert answer.at("method") == "POST"
    assert answer.at("media_type") == "application/x-www-form-urlencoded"
    assert answer.number("size") == 20
    assert answer.kind("note") == "string"

    answer = anybody.put(
        "/measure",
        content=b"\x00\xff\xfe{}'\"\\\n\r$",
        media_type="application/octet-stream",
    )
    assert answer.status == 200
    assert answer.at("media_type") == "application/octet-stream"
    assert answer.at("hex") == "00fffe7b7d27225c0a0d24"

    answer = anybody.patch(
        "/measure",
        json={"a": 1, "b": [True, None], "c": "\u2028"},
        media_type="application/merge-patch+json",
    )
    assert answer.status == 200
    assert answer.at("media_type") == "application/merge-patch+json"

    answer = anybody.post("/measure")
    assert answer.status == 200
    assert answer.at("media_type") == ""
    assert answer.number("size") == 0
    assert answer.at("note") is None


def test_list_and_number_stand_alone(anybody):
    answer = anybody.get("/categories")
    assert answer.status == 200
    assert answer.kind() == "array"
    assert answer.size() == 2
    assert answer.at(0) == "hand"
    assert answer.kind(1) == "string"
    assert answer.lacks(2)

    answer = anybody.get("/count")
    assert answer.status == 200
    assert answer.number() == 3
    assert answer.kind() == "integer"
    assert answer.kind() in ("integer", "number")
