#!/bin/sh
# usage: node-packages.sh
# Sees to it that the Node packages of the services beside it are there, and prints their folder,
# which is kept in $FOSSICK_CACHE or a temporary folder. A link to it, which is not committed, lies
# beside this script: `require` and `import` both look for node_modules in every folder above the
# file that asks, whereas NODE_PATH means nothing to `import`.
set -e
here=$(cd "$(dirname "$0")" && pwd)
folder=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/services-node
modules=$folder/node_modules
# Several services may be started at once.
mkdir -p "$folder"
exec 9>"$folder/.lock"
if command -v flock >/dev/null; then flock 9; fi
# npm keeps a list of its own inside; ours is copied last, and tells that all went well.
if ! cmp -s "$here/node/package-lock.json" "$modules/.installed.json"; then
    cp "$here/node/package.json" "$here/node/package-lock.json" "$folder"
    (cd "$folder" && npm install --no-save --no-audit --no-fund --silent >&2)
    cp "$here/node/package-lock.json" "$modules/.installed.json"
fi
if [ "$(readlink "$here/node_modules")" != "$modules" ]; then
    ln -sfn "$modules" "$here/node_modules"
fi
echo "$modules"
