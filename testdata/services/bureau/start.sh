#!/bin/sh
# usage: [FAULTS=all|none|B1,B3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" bureau "${1:?usage: start.sh PORT}"
