#!/bin/sh
# usage: serve.sh SERVICE PORT
# Serves one of the services beside it on 127.0.0.1.
set -e
service=${1:?usage: serve.sh SERVICE PORT}
port=${2:?usage: serve.sh SERVICE PORT}
here=$(cd "$(dirname "$0")" && pwd)
venv=$("$here/packages.sh")
cd "$here/$service"
exec env PYTHONDONTWRITEBYTECODE=1 "$venv/bin/uvicorn" app:app \
    --host 127.0.0.1 --port "$port" --no-access-log --log-level critical
