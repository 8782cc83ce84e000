#!/bin/sh
# usage: [FAULTS=all|none|B1a,B3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" tracker "${1:?usage: start.sh PORT}"
