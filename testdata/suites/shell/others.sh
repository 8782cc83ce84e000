#!/bin/sh
# Shed: what is refused, and the rest.
# Made by fossick: fossick test openapi.json --seed 1
#
# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq

test_tool_without_a_code_is_refused() {
	name=$(fresh 'amber-x6fch')

	as_alice
	json_body application/json '{"name": $name}' --argjson name "$name"
	send POST /tools
	expect_status 400
	expect_media_type application/problem+json
	expect '.status == 400'
	expect '.detail | type == "string"'

	# Sends JSON that breaks off.
	as_alice
	filled_body application/json '"{\"name\": \"\($name)\", "' --argjson name "$name"
	send POST /tools
	expect_status 400
}
test_case 'tool without a code is refused' test_tool_without_a_code_is_refused

test_loans_need_a_token() {
	send GET /staff/loans
	expect_status 401
	expect_media_type application/problem+json
	expect 'type == "object" and (has("loans") | not)'
	scheme=$(take_header WWW-Authenticate)

	json_body application/json '{"scheme": $scheme}' --argjson scheme "$scheme"
	send POST /measure
	expect_status 200
	expect '.size | is_integer'

	as_alice
	send GET /staff/loans
	expect_status 200
	expect '.by == "demo"'
	expect '.loans | type == "array" and length == 0'

	as_bob
	send GET /staff/loans
	expect_status 200
	expect '.by == "-bob"'
}
test_case 'loans need a token' test_loans_need_a_token

test_tool_that_nobody_has_is_not_found() {
	as_alice
	send GET /tools/999999999
	expect_status 404
	expect_media_type application/problem+json
	expect '.detail == "there is no such tool"'
}
test_case 'tool that nobody has is not found' test_tool_that_nobody_has_is_not_found
