#!/bin/sh
# usage: start.sh PORT
exec "$(dirname "$0")/../../serve-jvm.sh" customs/java "${1:?usage: start.sh PORT}"
