#!/bin/sh
# Runs what is written of the samples in Maven, as a user would:
#
#     run.sh [java4|java5|kotlin4|kotlin5]...
#
# Each must pass against the faulty Shed, fail when an expectation is changed, fail on the Shed's
# faults when it is told to, pass against the mended twin then, and start the service by itself.
# Needs JDK 17, Maven 3.8, Python 3 and, for the first run, Maven Central. WORK names a folder to
# keep; PORT, PORT+1 and PORT+2 must be free.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-$(mktemp -d)}
port=${PORT:-8470}
package=com/example/shed
export ALICE_AUTHORIZATION='Bearer shed-staff-demo' BOB_PASSWORD=hammer-9
export SHED="$here/../shed.py"

python3 "$SHED" "$port" &
faulty=$!
python3 "$SHED" $((port + 1)) twin &
twin=$!
trap 'kill $faulty $twin' EXIT

# project VARIANT: a new copy of the project in $folder, and the folder of its classes in $classes.
project() {
	folder=$work/$1
	classes=$folder/src/test/${1%[45]}/$package
	rm -rf "$folder/src" "$folder/target"
	mkdir -p "$folder"
	cp -R "$here/$1/." "$folder"
}

# maven PORT EXPECTED WHAT: runs the project; EXPECTED is `passes` or `fails`.
maven() {
	result=passes
	(cd "$folder" && FOSSICK_BASE_URL=http://127.0.0.1:$1 \
		mvn -B -ntp -q -Dkotlin.compiler.daemon=false test) >"$folder/log.txt" 2>&1 || result=fails
	if [ "$result" != "$2" ]; then
		cat "$folder/log.txt"
		echo "$3: expected that it $2" >&2
		exit 1
	fi
	echo "$3: $result, as it should"
}

# tells TEXT: the last run said so.
tells() {
	grep -qF -- "$1" "$folder/log.txt" || {
		cat "$folder/log.txt"
		echo "expected to read: $1" >&2
		exit 1
	}
}

for variant in "${@:-java5}"; do
	project "$variant"
	maven "$port" passes "$variant"

	sed -i 's/"there is no such tool"/"there is such a tool"/' "$classes"/OthersTest.*
	maven "$port" fails "$variant, with one expectation changed"
	tells 'step 1 (GET /tools/999999999) was answered with 404 application/problem+json {"status"'

	project "$variant"
	cp -R "$here/failing/$variant/." "$folder"
	maven "$port" fails "$variant, with faults that fail"
	tells 'which is F301, still served after it was deleted: DELETE answered 204'
	maven $((port + 1)) passes "$variant, with faults that fail, against the twin"

	project "$variant"
	rm "$classes"/*Test.*
	cp -R "$here/hooked/$variant/." "$folder"
	sed -i "s/8461/$((port + 2))/" "$classes"/Service.*
	SHED_LOG=$folder/shed.log maven $((port + 2)) passes "$variant, with hooks"
	grep -q 'the shed is closed' "$folder/shed.log"
done
