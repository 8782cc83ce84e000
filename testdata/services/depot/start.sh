#!/bin/sh
# usage: [FAULTS=all|none|D1,D3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" depot "${1:?usage: start.sh PORT}"
