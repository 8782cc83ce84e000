#!/bin/sh
# usage: [FAULTS=all|none|C1,C3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" expenses "${1:?usage: start.sh PORT}"
