#!/bin/sh
# usage: start.sh PORT
exec "$(dirname "$0")/../../serve-node.sh" scs/node "${1:?usage: start.sh PORT}"
