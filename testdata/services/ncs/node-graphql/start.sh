#!/bin/sh
# usage: start.sh PORT
exec "$(dirname "$0")/../../serve-node.sh" ncs/node-graphql "${1:?usage: start.sh PORT}"
