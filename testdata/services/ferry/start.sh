#!/bin/sh
# usage: [FAULTS=all|none|F1,F3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" ferry "${1:?usage: start.sh PORT}"
