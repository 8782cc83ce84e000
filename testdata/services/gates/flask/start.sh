#!/bin/sh
# usage: start.sh PORT
set -e
port=${1:?usage: start.sh PORT}
services=$(cd "$(dirname "$0")/../.." && pwd)
venv=$("$services/packages.sh")
cd "$services/gates/flask"
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$services/gates/python" PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/flask" --app app run --host 127.0.0.1 --port "$port" >/dev/null
