#!/bin/sh
# usage: [FAULTS=all|none|G1,G3,…] [GQL_ID=1] start.sh PORT
exec "$(dirname "$0")/../serve.sh" library "${1:?usage: start.sh PORT}"
