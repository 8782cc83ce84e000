#!/bin/sh
# usage: [FAULTS=all|none|B1a,B3,…] start.sh PORT
# Keeps its virtual environment in $FOSSICK_CACHE or a temporary folder, and serves on 127.0.0.1.
set -e
port=${1:?usage: start.sh PORT}
here=$(cd "$(dirname "$0")" && pwd)
venv=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/tracker
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
cd "$here"
exec env PYTHONDONTWRITEBYTECODE=1 "$venv/bin/uvicorn" app:app \
    --host 127.0.0.1 --port "$port" --no-access-log --log-level critical
