#!/bin/sh
# usage: serve-jvm.sh SERVICE PORT
# Serves one of the services beside it that are written for the JVM, on 127.0.0.1.
set -e
service=${1:?usage: serve-jvm.sh SERVICE PORT}
port=${2:?usage: serve-jvm.sh SERVICE PORT}
here=$(cd "$(dirname "$0")" && pwd)
jars=$("$here/jvm-packages.sh")
cd "$here/$service"
# What lets a small service start soon, at the price of slower loops.
exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m \
    -jar "$jars/$(echo "$service" | tr / -).jar" \
    --server.address=127.0.0.1 --server.port="$port"
