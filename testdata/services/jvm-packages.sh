#!/bin/sh
# usage: jvm-packages.sh
# Sees to it that the services for the JVM beside it are built as their sources are now, and prints
# the folder of their jars, which is kept in $FOSSICK_CACHE or a temporary folder. It is named after
# the sources and appears at once, so that several may build at the same time.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cache=${FOSSICK_CACHE:-${TMPDIR:-/tmp}/fossick-cache}/services-jvm
sum=$(cd "$here" && find jvm */java* */kotlin -type f -not -path '*/src/test/*' \
    -exec cksum {} + | LC_ALL=C sort -k 3 | cksum | tr ' ' -)
jars=$cache/$sum
if [ ! -d "$jars" ]; then
    mkdir -p "$cache/lib"
    build=$(mktemp -d "$cache/build.XXXXXX")
    trap 'rm -rf "$build"' EXIT
    if ! mvn -q -B -ntp -f "$here/jvm/pom.xml" -Dmaven.test.skip=true -Dservices.build="$build" \
        package >"$build/log" 2>&1; then
        cat "$build/log" >&2
        exit 1
    fi
    for library in "$build"/lib/*.jar; do
        mv -f "$library" "$cache/lib"
    done
    # Another one may have been quicker; its jars are the same.
    [ -d "$jars" ] || mv "$build/jars" "$jars"
fi
echo "$jars"
