#!/bin/sh
# Runs what was written for pytest, jest or postman in its real runner:
#
#     ./real_run.sh pytest [FOLDER]
#
# The sample must pass, must fail where its faults are to fail, and must pass there once they are
# mended. FOLDER keeps what is installed; without it everything goes to a temporary one.
set -eu

framework=$1
here=$(cd "$(dirname "$0")" && pwd)
work=${2:-$(mktemp -d)}
export ALICE_AUTHORIZATION='Bearer shed-staff-demo' BOB_PASSWORD=hammer-9
export SHED="$here/shed.py" PYTHONDONTWRITEBYTECODE=1

port=${SHED_PORT:-8470}
python3 "$SHED" "$port" &
shed=$!
python3 "$SHED" "$((port + 1))" twin &
twin=$!
trap 'kill "$shed" "$twin"' EXIT

mkdir -p "$work"
for sample in passing failing hooked; do
  mkdir -p "$work/$sample"
  cp "$here/$framework/$sample"/* "$work/$sample"
done
cd "$work"

case $framework in
pytest)
  [ -d venv ] || python3 -m venv venv
  venv/bin/pip install --quiet --requirement passing/requirements.txt
  run() { (cd "$1" && ../venv/bin/pytest -q -p no:cacheprovider); }
  ;;
jest | postman)
  # Node looks for packages in the folders above, too.
  cp passing/package.json package.json
  npm install --silent --no-audit --no-fund
  run() { (cd "$1" && PATH="$work/node_modules/.bin:$PATH" npm test --silent); }
  ;;
esac

export FOSSICK_BASE_URL="http://127.0.0.1:$port"
run passing
if run failing; then
  echo "the faults should have failed" >&2
  exit 1
fi
FOSSICK_BASE_URL="http://127.0.0.1:$((port + 1))" run failing
unset FOSSICK_BASE_URL
run hooked
echo "$framework: all as it should be"
