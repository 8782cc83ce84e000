#!/bin/sh
# usage: start.sh PORT
set -e
services=$(cd "$(dirname "$0")/../.." && pwd)
export PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}$services/python:$services/scs/python"
exec "$services/serve.sh" scs/python-graphql "${1:?usage: start.sh PORT}"
