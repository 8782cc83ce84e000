#!/bin/sh
# usage: [FAULTS=all|none|G1,G3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" recipes "${1:?usage: start.sh PORT}"
