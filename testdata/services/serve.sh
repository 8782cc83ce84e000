#!/bin/sh
# usage: serve.sh SERVICE PORT
# Serves one of the services beside it on 127.0.0.1. Their one virtual environment is kept in
# $FOSSICK_CACHE or a temporary folder.
set -e
service=${1:?usage: serve.sh SERVICE PORT}
port=${2:?usage: serve.sh SERVICE PORT}
here=$(cd "$(dirname "$0")" && pwd)
venv=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/services
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q -r "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
cd "$here/$service"
exec env PYTHONDONTWRITEBYTECODE=1 "$venv/bin/uvicorn" app:app \
    --host 127.0.0.1 --port "$port" --no-access-log --log-level critical
