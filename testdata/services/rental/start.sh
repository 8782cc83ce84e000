#!/bin/sh
# usage: [FAULTS=all|none|R1,R3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" rental "${1:?usage: start.sh PORT}"
