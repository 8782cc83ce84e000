#!/bin/sh
# Shed.
# Made by fossick: fossick test openapi.json --seed 1
#
# Runs the tests and prints TAP: `./run.sh` all of them, `./run.sh faults.sh` those of a file.
# Needs curl and jq, and in the environment ALICE_AUTHORIZATION, BOB_PASSWORD.

cd "$(dirname "$0")" || exit 1
# shellcheck source=/dev/null
. ./support.sh

[ $# -gt 0 ] || set -- faults.sh successes.sh others.sh
before_all
for _file in "$@"; do
	# shellcheck source=/dev/null
	. "./$_file"
done
finish
