#!/bin/sh
# usage: [FAULTS=all|none|P1,P3,…] start.sh PORT
exec "$(dirname "$0")/../serve.sh" parcels "${1:?usage: start.sh PORT}"
