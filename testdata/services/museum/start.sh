#!/bin/sh
# usage: [FAULTS=all|none|enum,list,…] start.sh PORT
set -e
port=${1:?usage: start.sh PORT}
cd "$(dirname "$0")"
venv=$(../packages.sh)
# Each name is an argument.
# shellcheck disable=SC2046
exec "$venv/bin/python" app.py "$port" $(echo "${FAULTS:-none}" | tr , ' ')
