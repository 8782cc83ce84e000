#!/bin/sh
# Shed.
# Made by fossick: fossick test openapi.json --seed 1
#
# What the tests share.
#
# shellcheck disable=SC1003,SC2016 # what stands in single quotes is for jq

base_url=${FOSSICK_BASE_URL:-http://127.0.0.1:8460}
base_url=${base_url%/}

# Variables of the tests hold JSON, so that a number stays a number. What is used in here begins
# with an underscore.
_work=$(mktemp -d) || exit 1
_count=0
_failed=0
_step=0
: >"$_work/sent"

# test_case NAME FUNCTION: runs a test in a shell of its own and prints its line.
test_case() {
	_count=$((_count + 1))
	: >"$_work/sent"
	rm -f "$_work/body"
	(
		set -e
		before_each
		"$2"
	) >"$_work/said" 2>&1
	case $? in
	0) echo "ok $_count - $1" ;;
	77) echo "ok $_count - $1 # SKIP $(cat "$_work/said")" ;;
	*)
		_failed=$((_failed + 1))
		echo "not ok $_count - $1"
		sed 's/^/# /' "$_work/said"
		;;
	esac
}

# need VARIABLE VALUE: skips the test where the environment has no such credentials.
need() {
	[ -n "$2" ] && return
	echo "$1 is not set"
	exit 77
}

# fail MESSAGE: ends the test and shows the last answer.
fail() {
	printf '%s\n' "$1"
	if [ "$_step" -gt 0 ]; then
		printf 'step %s: %s answered %s\n' "$_step" "$_asked" "$_status"
		head -c 2000 "$_work/answer" 2>/dev/null
		echo
	fi
	exit 1
}

# header NAME VALUE: a header of the next request.
header() {
	if [ -n "$2" ]; then
		printf '%s: %s\n' "$1" "$2" >>"$_work/sent"
	else
		printf '%s;\n' "$1" >>"$_work/sent"
	fi
}

# json_body TYPE PROGRAM [ARGUMENT...]: the next request's body, as jq makes it.
json_body() {
	header Content-Type "$1"
	shift
	jq -n -c "$@" >"$_work/body"
}

# filled_body TYPE PROGRAM [ARGUMENT...]: the same for text.
filled_body() {
	header Content-Type "$1"
	shift
	jq -n -j "$@" >"$_work/body"
}

# text_body TYPE TEXT
text_body() {
	header Content-Type "$1"
	printf '%s' "$2" >"$_work/body"
}

# bytes_body TYPE FORMAT: what printf makes of the format.
bytes_body() {
	header Content-Type "$1"
	# shellcheck disable=SC2059
	printf "$2" >"$_work/body"
}

# send METHOD PATH: sends what was made ready, and keeps the answer.
send() {
	_step=$((_step + 1))
	_asked="$1 $2"
	_status='nothing'
	: >"$_work/answer"
	if [ -f "$_work/body" ]; then
		printf 'Expect:\n' >>"$_work/sent"
		set -- "$1" "$2" --data-binary "@$_work/body"
	else
		case $1 in POST | PUT | PATCH) printf 'Content-Length: 0\n' >>"$_work/sent" ;; esac
	fi
	if [ "$1" = HEAD ]; then
		set -- "$@" --head
	else
		set -- "$@" -X "$1"
	fi
	_url=$base_url$2
	shift 2
	_status=$(curl -q -sS -g --path-as-is --max-time 30 "$@" -H "@$_work/sent" \
		-o "$_work/answer" -D "$_work/headers" -w '%{http_code}' "$_url") ||
		fail 'there was no answer'
	# To a HEAD curl writes the headers where the body would go.
	case $_asked in 'HEAD '*) : >"$_work/answer" ;; esac
	: >"$_work/sent"
	rm -f "$_work/body"
}

# query PROGRAM [ARGUMENT...]: what jq says to the answer.
query() {
	_program=$1
	shift
	jq -L . "$@" "include \"support\"; $_program" "$_work/answer"
}

# of_headers PROGRAM [ARGUMENT...]: what jq says to the headers of the answer.
of_headers() {
	_program=$1
	shift
	jq -L . -R -s -c "$@" "include \"support\"; $_program" "$_work/headers"
}

# take POINTER: a value of the answer.
take() {
	_taken=$(query 'pointer($pointer)' -c --arg pointer "$1") || fail "the answer is not JSON"
	case $_taken in '' | null) fail "there is nothing at $1" ;; esac
	printf '%s\n' "$_taken"
}

# take_header NAME
take_header() {
	of_headers 'header($name) // halt_error' --arg name "$1" 2>/dev/null || fail "there is no header $1"
}

# take_location: the last segment of the path that the answer leads to.
take_location() {
	of_headers 'header("Location") | tail // halt_error' 2>/dev/null ||
		fail 'there is no header Location that leads anywhere'
}

# fresh TEXT: a new text of the same make.
fresh() {
	od -An -v -N 10 -t u2 /dev/urandom |
		jq -L . -s -c --arg like "$1" 'include "support"; . as $dice | $like | fresh($dice)'
}

# uri VALUE: as a part of a path or a query.
uri() {
	printf '%s' "$1" | jq -r '@uri'
}

# text VALUE: as a part of a header.
text() {
	printf '%s' "$1" | jq -r 'tostring | gsub("[\\x00-\\x1f\\x7f]"; "")'
}

# expect_status STATUS
expect_status() {
	[ "$_status" -eq "$1" ] || fail "expected status $1"
}

# expect_media_type TYPE: whatever parameters it has.
expect_media_type() {
	[ "$(of_headers 'header("Content-Type") // "" | media_type' -r)" = "$1" ] ||
		fail "expected content of the type $1"
}

# expect_no_body
expect_no_body() {
	[ ! -s "$_work/answer" ] || fail 'expected no body'
}

# expect_text TEXT: the whole body.
expect_text() {
	printf '%s' "$1" | cmp -s - "$_work/answer" || fail "expected the text: $1"
}

# expect_printed FORMAT: the same, as printf would write it.
expect_printed() {
	# shellcheck disable=SC2059
	printf "$1" | cmp -s - "$_work/answer" || fail "expected the text: $1"
}

# expect PROGRAM [ARGUMENT...]: jq says true.
expect() {
	[ "$(query "$@" 2>/dev/null)" = true ] || fail "expected $*"
}

# expect_schema NAME: the body fits schemas/NAME.json.
expect_schema() {
	_misfits=$(query 'misfits($schema[0])' -r --slurpfile schema "schemas/$1.json") ||
		_misfits='the answer is not JSON'
	[ -z "$_misfits" ] || fail "expected a body that fits schemas/$1.json
$_misfits"
}

# refute REASON CHECK [ARGUMENT...]: the check must not hold.
refute() {
	_reason=$1
	shift
	if ("$@") >/dev/null; then
		fail "$_reason"
	fi
}

# finish: prints the plan and ends with what became of it.
finish() {
	echo "1..$_count"
	[ "$_failed" -eq 0 ]
}

# before_all: makes ready what all tests need.
before_all() {
	trap after_all EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# after_all: leaves nothing behind.
after_all() {
	rm -rf "$_work"
}

# before_each: runs before every test.
before_each() {
	:
}

# as_alice: the next request is alice's.
as_alice() {
	need ALICE_AUTHORIZATION "${ALICE_AUTHORIZATION-}"
	header Authorization "$ALICE_AUTHORIZATION"
}

# as_bob: the next request is bob's.
as_bob() {
	[ -f "$_work/bob" ] || (log_in_bob)
	cat "$_work/bob" >>"$_work/sent"
}

# Once in a run: the token is kept in a folder that nobody else may open.
log_in_bob() {
	need BOB_PASSWORD "${BOB_PASSWORD-}"
	json_body application/json '{"name": "bob", "password": env.BOB_PASSWORD}'
	send POST /login
	case $_status in 2*) ;; *) fail 'bob can'\''t log in' ;; esac
	_token=$(take '/token')
	header Authorization 'Bearer '"$(text "$_token")"
	mv "$_work/sent" "$_work/bob"
}
