#!/bin/sh
# Shed.
# Made by fossick: fossick test openapi.json --seed 1
#
# Runs the tests: `./run.sh` all of them, `./run.sh faults` some. Needs Hurl 8 and jq.
# Needs in the environment: ALICE_AUTHORIZATION, BOB_PASSWORD

cd "$(dirname "$0")" || exit 1
set -eu

base_url=${FOSSICK_BASE_URL:-http://127.0.0.1:8460}
export HURL_VARIABLE_base_url="\"${base_url%/}\""
export HURL_NO_COOKIE_STORE=1
export HURL_SECRET_alice_authorization="${ALICE_AUTHORIZATION:?is not set in the environment}"
export HURL_SECRET_bob_password="${BOB_PASSWORD:?is not set in the environment}"

# fresh TEXT: a new text of the same make: its last five letters and digits are thrown anew.
fresh() {
	LIKE=$1 DICE=$(od -An -N 10 -t u2 /dev/urandom) LC_ALL=C awk 'BEGIN {
		split(ENVIRON["DICE"], dice, " ")
		like = ENVIRON["LIKE"]
		split("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789", kinds, " ")
		for (at = length(like); at > 0 && thrown < 5; at--)
			for (kind = 1; kind <= 3; kind++)
				if (index(kinds[kind], substr(like, at, 1))) {
					new = substr(kinds[kind], 1 + dice[++thrown] % length(kinds[kind]), 1)
					like = substr(like, 1, at - 1) new substr(like, at + 1)
				}
		printf "%s", like
	}'
}

# uri TEXT: as a part of a path or a query.
uri() {
	TEXT=$1 LC_ALL=C awk 'BEGIN {
		for (code = 1; code < 256; code++)
			byte[sprintf("%c", code)] = sprintf("%%%02X", code)
		text = ENVIRON["TEXT"]
		for (at = 1; at <= length(text); at++) {
			sign = substr(text, at, 1)
			printf "%s", sign ~ /[A-Za-z0-9_.~-]/ ? sign : byte[sign]
		}
	}'
}

name_1=$(fresh 'spirit level x6fch')
export HURL_VARIABLE_name_1="\"$name_1\""
name_2=$(fresh 'plane-k3x9q')
export HURL_VARIABLE_name_2="\"$name_2\""
mark_1=$(fresh 'Ab-9z9Z9')
export HURL_VARIABLE_mark_1="\"$mark_1\""
code_1=$(fresh 'ZZ-1234')
export HURL_VARIABLE_code_1="\"$code_1\""
name_3=$(fresh 'Zoë'\''s 1/2 saw & 100% "x6fch"')
export HURL_VARIABLE_name_3="\"$name_3\""
name_3_uri=$(uri "$name_3")
export HURL_VARIABLE_name_3_uri="\"$name_3_uri\""
name_4=$(fresh 'plane-k3x9q')
export HURL_VARIABLE_name_4="\"$name_4\""
mark_2=$(fresh 'a1B2c3')
export HURL_VARIABLE_mark_2="\"$mark_2\""
name_5=$(fresh 'amber-x6fch')
export HURL_VARIABLE_name_5="\"$name_5\""

answer=$(hurl --json --max-time 30 logins/bob.hurl)
bob_token=$(printf '%s' "$answer" | jq -r '.entries[-1].captures[-1].value')
export HURL_SECRET_bob_token="$bob_token"

[ $# -gt 0 ] || set -- faults successes others
hurl --test --path-as-is --max-time 30 --error-format long "$@"
