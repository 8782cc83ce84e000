#!/bin/sh
# usage: packages.sh
# Sees to it that the Python packages of the services beside it are there, and prints the folder of
# their one virtual environment, which is kept in $FOSSICK_CACHE or a temporary folder.
set -e
here=$(cd "$(dirname "$0")" && pwd)
venv=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/services
# Several services may be started at once.
mkdir -p "$(dirname "$venv")"
exec 9>"$venv.lock"
if command -v flock >/dev/null; then flock 9; fi
if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q -r "$here/requirements.txt" >&2
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi
echo "$venv"
