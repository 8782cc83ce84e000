#!/bin/sh
# Shed: what works.
# Made by fossick: fossick test openapi.json --seed 1
#
# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq

test_tool_is_made_and_read_back() {
	mark=$(fresh 'Ab-9z9Z9')
	code=$(fresh 'ZZ-1234')

	# Makes a tool.
	as_alice
	json_body application/json '{
		"name": "Spirit level \($mark)",
		"code": $code,
		"deposit": 900,
		"boughtOn": null,
		"tags": ["level", "\($mark)!", "blue"],
		"maker": {"name": "O'\''Brien & \"Sons\"", "towns": []}
	}' --argjson code "$code" --argjson mark "$mark"
	send POST /tools
	expect_status 201
	expect_media_type application/json
	expect '.id | is_integer'
	expect '.name | type == "string"'
	expect '.code == $code' --argjson code "$code"
	expect '.deposit == 900'
	expect 'has("boughtOn") and .boughtOn == null'
	expect '.tags | type == "array" and length == 3'
	expect '.tags[0] == "level"'
	expect '.tags[2] == "blue"'
	expect '.tags | type == "array" and (has(3) | not)'
	expect '.maker | type == "object"'
	expect '.maker.name == "O'\''Brien & \"Sons\""'
	expect '.maker.towns | type == "array" and length == 0'
	expect 'type == "object" and (has("pin") | not)'
	expect_schema tool
	tool_id=$(take_location)
	tag=$(take_header ETag)
	number=$(take '/id')
	tags=$(take '/tags')

	# Reads it back.
	as_alice
	send GET "/tools/$(uri "$tool_id")"
	expect_status 200
	expect_media_type application/json
	expect '.id == $number' --argjson number "$number"
	expect '.tags == $tags' --argjson tags "$tags"
	expect_schema tool

	# Asks whether it has changed.
	as_alice
	header If-None-Match "$(text "$tag")"
	header Accept application/json
	send GET "/tools/$(uri "$tool_id")"
	expect_status 304
	expect_no_body

	as_alice
	send HEAD "/tools/$(uri "$tool_id")"
	expect_status 200
	expect_media_type application/json
	expect_no_body
}
test_case 'tool is made and read back' test_tool_is_made_and_read_back

# The name has a slash, a space, an apostrophe and letters beyond ASCII.
test_tool_is_found_by_a_name_that_needs_escapes() {
	name=$(fresh 'Zoë'\''s 1/2 saw & 100% "x6fch"')

	# Makes a tool.
	as_alice
	json_body application/json '{"name": $name, "code": "ME-0042", "tags": ["level", "blue"]}' \
		--argjson name "$name"
	send POST /tools
	expect_status 201
	expect_media_type application/json
	number=$(take '/id')

	as_bob
	send GET "/tools?sort=id&name=$(uri "$name")"
	expect_status 200
	expect 'type == "array" and length == 1'
	expect '.[0].id == $number' --argjson number "$number"
	expect '.[0].name == $name' --argjson name "$name"

	# Has moved; nobody follows.
	as_bob
	send GET "/former/$(uri "$name")"
	expect_status 301
	expect_no_body
	there=$(take_location)

	as_bob
	send GET "/named/$(uri "$there")"
	expect_status 200
	expect_media_type application/json
	expect '.name == $name' --argjson name "$name"
	expect '.name == $there' --argjson there "$there"

	# Asks GraphQL for it.
	as_bob
	json_body application/json '{
		"query": "query Tool($name: String!) {\n  tool(name: $name) {\n    id\n    name\n  }\n}",
		"variables": {"name": $name},
		"operationName": "Tool"
	}' --argjson name "$name"
	send POST /graphql
	expect_status 200
	expect_media_type application/json
	expect 'type == "object" and (has("errors") | not)'
	expect '.data.tool.id == $number' --argjson number "$number"
	expect '.data.tool.name == $name' --argjson name "$name"
}
test_case 'tool is found by a name that needs escapes' test_tool_is_found_by_a_name_that_needs_escapes

# Where it stands in the lists is a matter of what others made.
test_tool_is_listed_among_those_of_others() {
	name=$(fresh 'plane-k3x9q')

	# Makes a tool.
	as_alice
	json_body application/json '{
		"name": $name,
		"code": "LI-0007",
		"tags": ["level", "blue"],
		"boughtOn": null
	}' --argjson name "$name"
	send POST /tools
	expect_status 201
	expect '.id | is_integer'
	tool_id=$(take '/id')

	as_alice
	send GET /tools
	expect_status 200
	expect 'type == "array"'
	expect 'item(["id"]; $tool_id) | type == "object"' --argjson tool_id "$tool_id"
	expect 'item(["id"]; $tool_id).id == $tool_id' --argjson tool_id "$tool_id"
	expect 'item(["id"]; $tool_id).code == "LI-0007"' --argjson tool_id "$tool_id"
	expect '(item(["id"]; $tool_id) | has("boughtOn")) and item(["id"]; $tool_id).boughtOn == null' \
		--argjson tool_id "$tool_id"
	expect 'item(["id"]; $tool_id).tags | type == "array" and length == 2' \
		--argjson tool_id "$tool_id"
	expect 'item(["id"]; $tool_id).tags[1] == "blue"' --argjson tool_id "$tool_id"
	expect 'item(["id"]; $tool_id) | type == "object" and (has("pin") | not)' \
		--argjson tool_id "$tool_id"

	# Asks for pages.
	as_bob
	send GET /catalogue
	expect_status 200
	expect '.catalogue.edges | type == "array"'
	expect '(.catalogue.edges | item(["node", "id"]; $tool_id)).node.name == $name' \
		--argjson name "$name" --argjson tool_id "$tool_id"
	expect '(.catalogue.edges | item(["node", "name"]; $name)).node.id == $tool_id' \
		--argjson name "$name" --argjson tool_id "$tool_id"
	expect '(.catalogue.edges | item(["node", "name"]; $name)).node.id | type == "number"' \
		--argjson name "$name"
	expect '(.catalogue.names | item([]; $name)) == $name' --argjson name "$name"
	expect '.catalogue.edges | type == "array" and (has_item(["id"]; $tool_id) | not)' \
		--argjson tool_id "$tool_id"

	# Looks where it is not.
	as_alice
	send GET '/tools?name=nobody'
	expect_status 200
	expect 'type == "array" and (has_item(["id"]; $tool_id) | not)' \
		--argjson tool_id "$tool_id"
}
test_case 'tool is listed among those of others' test_tool_is_listed_among_those_of_others

# Nothing in an answer may break a test: not ''' nor """ nor * / nor ? > nor -- > nor \u002a/ nor
# ${x} nor {{x}}.
test_odd_texts_come_as_they_are() {
	send GET /odd
	expect_status 200
	expect_media_type application/json
	expect '.["it'\''s \"quoted\""] == "'\''; DROP TABLE tools; -- \" \\ `"'
	expect '.["a/b~c.d"] == "${HOME} $HOME $(id) `id` #{x} {{x}} {x} %s %(x)s"'
	expect '.["$ref"] == "*/ // ?> --> <!-- ]]> </script> <?php"'
	expect '.[""] == "line one\nline two\r\n\ttab\f\b\u0001\u007f\u0085\u2028\u2029end"'
	expect '.["0"] == "\\u0022 \\x22 \\n \\'\'' \\\" \\\\ \\"'
	expect '.unicode == "Zoë 木 \ud83d\udee0 \u202e\ufeff e\u0301"'
	expect '.long == "A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, A long sentence that no formatter can put on one line, "'
	expect '.numbers | type == "array" and length == 7'
	expect '.numbers[0] == 0'
	expect '.numbers[1] == -1'
	expect '.numbers[2] == 2.5'
	expect '.numbers[3] == 1e-7'
	expect '.numbers[4] == 1e+300'
	expect '.numbers[5] == 9007199254740993'
	expect '.numbers[6] == 18446744073709551615'
	expect '.scalars | type == "array" and length == 6'
	expect '.scalars[0] == true'
	expect '.scalars[1] == false'
	expect '(.scalars | has(2)) and .scalars[2] == null'
	expect '.scalars[3] == ""'
	expect '.scalars[4] | type == "object"'
	expect '.scalars[5] | type == "array" and length == 0'
	expect '.deep | type == "array" and length == 1'
	expect '.deep[0] | type == "array" and length == 1'
	expect '.deep[0][0].deeper | type == "array" and length == 1'
	expect '.deep[0][0].deeper[0].deepest == "here"'
	expect '.numbers[0] | is_integer'
	expect '.numbers[0] | type == "number"'
	expect '.numbers[2] | type == "number"'
	expect '.scalars[0] | type == "boolean"'
	expect '(.scalars | has(2)) and .scalars[2] == null'
	expect '.scalars[5] | type == "array"'
	expect '.scalars | type == "array" and (has(6) | not)'
	expect '.deep[0][0] | type == "object" and (has("shallow") | not)'
	expect 'type == "object"'
	expect_schema odd_thing
}
test_case 'odd texts come as they are' test_odd_texts_come_as_they_are

test_bodies_go_out_as_they_are() {
	mark=$(fresh 'a1B2c3')

	bytes_body text/plain 'line one\012it'\''s "two" \\ ${HOME} {{x}} `id` $(id) %%s\015\012\011end \303\251 '
	send POST /echo
	expect_status 200
	expect_media_type text/plain
	expect_printed 'line one\012it'\''s "two" \\ ${HOME} {{x}} `id` $(id) %%s\015\012\011end \303\251 '

	header X-Note 'mark is '\'''"$(text "$mark")"''\'''
	filled_body application/x-www-form-urlencoded '"mark=\($mark)&more=%20"' \
		--argjson mark "$mark"
	send POST /measure
	expect_status 200
	expect '.method == "POST"'
	expect '.media_type == "application/x-www-form-urlencoded"'
	expect '.size == 20'
	expect '.note | type == "string"'

	bytes_body application/octet-stream '\000\377\376{}'\''"\\\012\015$'
	send PUT /measure
	expect_status 200
	expect '.media_type == "application/octet-stream"'
	expect '.hex == "00fffe7b7d27225c0a0d24"'

	text_body application/merge-patch+json '{"a": 1, "b": [true, null], "c": "\u2028"}'
	send PATCH /measure
	expect_status 200
	expect '.media_type == "application/merge-patch+json"'

	send POST /measure
	expect_status 200
	expect '.media_type == ""'
	expect '.size == 0'
	expect 'has("note") and .note == null'
}
test_case 'bodies go out as they are' test_bodies_go_out_as_they_are

test_list_and_number_stand_alone() {
	send GET /categories
	expect_status 200
	expect 'type == "array"'
	expect 'type == "array" and length == 2'
	expect '.[0] == "hand"'
	expect '.[1] | type == "string"'
	expect 'type == "array" and (has(2) | not)'

	send GET /count
	expect_status 200
	expect '. == 3'
	expect 'is_integer'
	expect 'type == "number"'
}
test_case 'list and number stand alone' test_list_and_number_stand_alone
