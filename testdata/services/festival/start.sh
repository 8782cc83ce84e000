#!/bin/sh
# usage: [FAULTS=all|none|V1,V3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" festival "${1:?usage: start.sh PORT}"
