#!/bin/sh
# usage: start.sh PORT
exec "$(dirname "$0")/../../serve-jvm.sh" scs/java "${1:?usage: start.sh PORT}"
