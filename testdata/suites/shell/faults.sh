#!/bin/sh
# Shed: suspected faults.
# Made by fossick: fossick test openapi.json --seed 1
#
# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq

# A repair is made and deleted; then somebody looks for it.
# It should be gone: 404 or 410.
# Suspected fault F301: still served after it was deleted.
# DELETE answered 204, and the same path answers 200 afterwards with the repair as it was before
# it was deleted.
# The test shows the behaviour as it is, and passes.
test_deleted_repair_is_still_served() {
	name=$(fresh 'spirit level x6fch')

	# Makes a tool.
	as_alice
	json_body application/json '{"name": $name, "code": "ME-0042", "tags": ["level", "blue"]}' \
		--argjson name "$name"
	send POST /tools
	expect_status 201
	expect_media_type application/json
	tool_id=$(take_location)

	# Makes a repair.
	as_alice
	text_body application/json '{"note": "New handle", "hours": 1.5, "urgent": false}'
	send POST "/tools/$(uri "$tool_id")/repairs"
	expect_status 201
	repair_id=$(take '/id')

	as_alice
	send DELETE "/tools/$(uri "$tool_id")/repairs/$(uri "$repair_id")"
	expect_status 204
	expect_no_body

	# Looks at what is gone.
	as_alice
	send GET "/tools/$(uri "$tool_id")/repairs/$(uri "$repair_id")"
	# This is the suspected fault F301.
	expect_status 200
	expect_media_type application/json
	expect '.id == $repair_id' --argjson repair_id "$repair_id"
	expect '.tool | is_integer'
	expect '.note == "New handle"'
	expect '.hours == 1.5'
	expect '.urgent == false'
}
test_case 'deleted repair is still served' test_deleted_repair_is_still_served

# Suspected fault F401: authentication ignored.
# The contract asks for a token; the request had none.
# The test shows the behaviour as it is, and passes.
test_ledger_is_shown_to_anybody() {
	# Somebody of the staff may see it.
	as_alice
	send GET /staff/ledger
	expect_status 200

	# So may everybody else.
	send GET /staff/ledger
	# This is the suspected fault F401.
	expect_status 200
	expect '.loans | type == "array" and length == 0'
}
test_case 'ledger is shown to anybody' test_ledger_is_shown_to_anybody

# Suspected fault F201: answer breaks its schema.
# /fee is a string where a number is promised. * / ? > -- > ''' """ \ #.
# The test shows the behaviour as it is, and passes.
test_fee_of_the_ledger_is_a_text() {
	as_bob
	send GET /staff/ledger
	expect_status 200
	expect_media_type application/json
	# This is the suspected fault F201.
	expect '.fee | type == "string"'
	expect '.fee == "12"'
}
test_case 'fee of the ledger is a text' test_fee_of_the_ledger_is_a_text

# Suspected fault F201: answer breaks its schema.
# Size is a string where a number is promised.
# The test shows the behaviour as it is, and passes.
test_size_of_a_listed_tool_is_a_text() {
	name=$(fresh 'plane-k3x9q')

	# Makes a tool.
	as_alice
	json_body application/json '{"name": $name, "code": "LI-0007", "size": 3}' \
		--argjson name "$name"
	send POST /tools
	expect_status 201
	expect '.id | is_integer'
	tool_id=$(take '/id')

	as_alice
	send GET /tools
	expect_status 200
	expect_media_type application/json
	expect 'type == "array"'
	expect 'item(["id"]; $tool_id).name == $name' \
		--argjson name "$name" --argjson tool_id "$tool_id"
	# This is the suspected fault F201.
	expect 'item(["id"]; $tool_id).size | type == "string"' --argjson tool_id "$tool_id"
}
test_case 'size of a listed tool is a text' test_size_of_a_listed_tool_is_a_text

# Any other limit is served.
# Suspected fault F101: server error.
# The service answered 500 to a request that the contract allows.
# The test shows the behaviour as it is, and passes.
test_limit_of_73_ends_in_a_crash() {
	as_alice
	send GET '/tools?limit=73&available=true'
	# This is the suspected fault F101.
	expect_status 500
	expect_media_type application/problem+json
	expect '.detail == "something went wrong in here"'
}
test_case 'limit of 73 ends in a crash' test_limit_of_73_ends_in_a_crash
