#!/bin/sh
# usage: serve-node.sh SERVICE PORT
# Serves one of the services beside it that are written for Node, on 127.0.0.1.
set -e
service=${1:?usage: serve-node.sh SERVICE PORT}
port=${2:?usage: serve-node.sh SERVICE PORT}
here=$(cd "$(dirname "$0")" && pwd)
"$here/node-packages.sh" >/dev/null
cd "$here/$service"
exec env NODE_ENV=production node app.js "$port"
