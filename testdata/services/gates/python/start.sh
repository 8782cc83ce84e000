#!/bin/sh
# usage: start.sh PORT
exec "$(dirname "$0")/../../serve.sh" gates/python "${1:?usage: start.sh PORT}"
