#!/bin/sh
# usage: start.sh PORT
exec cargo run --quiet --locked --manifest-path "$(dirname "$0")/Cargo.toml" -- "${1:?usage: start.sh PORT}"
