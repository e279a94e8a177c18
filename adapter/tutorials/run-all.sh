#!/usr/bin/env bash
# Runs all tutorials as a stranger would, from a fresh build. Ends with an error at the first that fails.
set -euo pipefail
cd "$(dirname "$0")/../.."
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT

tutorial() {
  local number=$1 expected=$2
  shift 2
  echo "== Tutorial $number"
  local printed
  printed=$(mvn -q -B ${MAVEN_OPTIONS:-} compile exec:java -pl adapter/tutorials -am "-Dtutorial=$number" "$@")
  echo "$printed"
  grep -qF -- "$expected" <<<"$printed" || { echo "tutorial $number: expected: $expected" >&2; exit 1; }
}

tutorial 01 "sendEmail runs" <<<"y"
tutorial 02 "Open http" <<<""
tutorial 03 "pay runs: Bob, 450"
tutorial 04 "bookFlight runs"
tutorial 05 "wine: red"
tutorial 06 "delete_note done"
tutorial 07 "This process ends" "-Dexec.args=jdbc:sqlite:$database/tutorial.db"
tutorial 07 "transfer runs" "-Dexec.args=jdbc:sqlite:$database/tutorial.db"
tutorial 08 "approved by grace"

echo "== Tutorial 09"
if command -v node >/dev/null && command -v npm >/dev/null; then
  (cd adapter/tutorials/09-clients && npm install --silent --no-audit --no-fund --no-package-lock)
  mkfifo "$database/keyboard"
  mvn -q -B ${MAVEN_OPTIONS:-} compile exec:java -pl adapter/tutorials -am -Dtutorial=02 <"$database/keyboard" &
  exec 3>"$database/keyboard"
  for _ in $(seq 120); do curl -s -o "$database/page" http://127.0.0.1:8080/ && break; sleep 1; done
  (cd adapter/tutorials/09-clients && node client.mjs) | tee "$database/printed"
  exec 3>&-
  wait
  grep -q "Agent: I was told: booking MS-777 is cancelled" "$database/printed"
else
  echo "NOT RUN: tutorial 09 needs Node.js 20 and npm" >&2
fi

tutorial 10 "as ada"
echo "== Tutorial 11"
mvn -q -B ${MAVEN_OPTIONS:-} test -pl adapter/tutorials -am -Dtest=BookingToolsTest -Dsurefire.failIfNoSpecifiedTests=false
echo "All of them ran."
