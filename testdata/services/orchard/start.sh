#!/bin/sh
# usage: [FAULTS=all|none|T1,T3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" orchard "${1:?usage: start.sh PORT}"
