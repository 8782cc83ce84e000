#!/bin/sh
# usage: start.sh PORT
# Cargo is asked each time: it is quick where nothing has changed, and whoever looks inside may have
# it compile in another way. What it makes is kept in $FOSSICK_CACHE or a temporary folder.
set -e
port=${1:?usage: start.sh PORT}
cd "$(dirname "$0")"
build=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/services-rust
cargo build --quiet --locked --target-dir "$build" >&2
exec "$build/debug/scs" "$port"
