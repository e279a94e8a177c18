#!/usr/bin/env bash
# Runs all tutorials as a stranger would, and says how long each took. Ends with an error at the first that fails. Options for
# Maven are in MAVEN_OPTIONS: MAVEN_OPTIONS="-o" adapter/tutorials/run-all.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"; [ -z "${server:-}" ] || kill "$server" 2>/dev/null || true' EXIT

maven() {
  # shellcheck disable=SC2086
  mvn -q -B -Dstyle.color=never ${MAVEN_OPTIONS:-} -pl adapter/tutorials -am "$@"
}

begin() {
  echo "== Tutorial $1"
  SECONDS=0
}

end() {
  echo "-- $SECONDS seconds"
}

# number, what it must print, further options; its input is that of the function
tutorial() {
  local number=$1 expected=$2
  shift 2
  begin "$number"
  maven compile exec:java "-Dtutorial=$number" "$@" | tee "$scratch/printed"
  grep -qF -- "$expected" "$scratch/printed" || { echo "tutorial $number did not print: $expected" >&2; exit 1; }
  end
}

tutorial 01 "sendEmail runs" <<<"y"
tutorial 02 "Open http" <<<""
tutorial 03 "pay runs: Bob, 450" </dev/null
tutorial 04 "bookFlight runs" </dev/null
tutorial 05 "wine: red" </dev/null
tutorial 06 "delete_note done" </dev/null
tutorial 07 "This process ends" "-Dexec.args=jdbc:sqlite:$scratch/tutorial.db" </dev/null
tutorial 07 "transfer runs" "-Dexec.args=jdbc:sqlite:$scratch/tutorial.db" </dev/null
tutorial 08 "approved by grace" </dev/null

begin 09
if command -v node >/dev/null && command -v npm >/dev/null; then
  (cd adapter/tutorials/09-clients && npm install --silent --no-audit --no-fund --no-package-lock)
  mkfifo "$scratch/keyboard"
  maven compile exec:java -Dtutorial=02 <"$scratch/keyboard" &
  server=$!
  exec 3>"$scratch/keyboard"
  for _ in $(seq 120); do curl -s -o "$scratch/page" http://127.0.0.1:8080/ && break; sleep 1; done
  (cd adapter/tutorials/09-clients && node client.mjs) | tee "$scratch/printed"
  exec 3>&-
  wait "$server"
  server=
  grep -qF "Agent: I was told: booking MS-777 is cancelled" "$scratch/printed"
  end
else
  echo "NOT RUN: tutorial 09 needs Node.js 20 and npm" >&2
fi

tutorial 10 "as ada" </dev/null
begin 11
maven test -Dtest=BookingToolsTest -Dsurefire.failIfNoSpecifiedTests=false </dev/null
end
tutorial 12 "fetch runs" </dev/null
tutorial 13 "pay runs: R-7" </dev/null
tutorial 14 "approved by grace" </dev/null
tutorial 15 "approved by grace" </dev/null
tutorial 16 "approved by grace" </dev/null
tutorial 17 "on the board" </dev/null
tutorial 18 "the recipient is blocked" </dev/null
tutorial 19 "C123 is gone" </dev/null
tutorial 20 "More than 100 euros" </dev/null
mvn -q -B ${MAVEN_OPTIONS:-} package -DskipTests -pl adapter/serve/gateway -am
tutorial 21 "has not been made again" </dev/null
tutorial 22 "I have paid R-7 and R-8" </dev/null
echo "All of them ran."
