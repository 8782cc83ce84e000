#!/bin/sh
# usage: start.sh PORT
set -e
services=$(cd "$(dirname "$0")/../.." && pwd)
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$services/gates/python"
exec "$services/serve.sh" gates/python-graphql "${1:?usage: start.sh PORT}"
