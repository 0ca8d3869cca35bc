#!/usr/bin/env bash
# The step of the action: lints, evaluates, and writes the results where GitHub shows them. Both run, whatever the first says.
set -uo pipefail

# A switch that is misread would call real tools, or let warnings pass. Bash 3.2, which Macs have, knows no ${2,,}.
switch() {
  case "$2" in
    [Tt]rue | TRUE) return 0 ;;
    [Ff]alse | FALSE | '') return 1 ;;
    *) echo "::error::$1 is '$2'; use true or false."; exit 1 ;;
  esac
}
strict='' fake_tools='' allow_not_measured=''
switch strict "${STRICT:-}" && strict=1
switch fake-tools "${FAKE_TOOLS:-}" && fake_tools=1
switch allow-not-measured "${ALLOW_NOT_MEASURED:-}" && allow_not_measured=1

lint=(frontdesk lint "$APP")
[ -n "$strict" ] && lint+=(--strict)
findings=$RUNNER_TEMP/frontdesk-lint.txt
echo "::group::Lint"
"${lint[@]}" | tee "$findings"
linted=${PIPESTATUS[0]}
echo "::endgroup::"
# Beside the lines, where the pull request shows them.
sed -nE -e 's/%/%25/g' -e 's/^([^:]+):([0-9]+):([0-9]+): (error|warning) (.*)$/::\4 file=\1,line=\2,col=\3::\5/p' "$findings"

junit=$RUNNER_TEMP/frontdesk-junit.xml
report=$RUNNER_TEMP/frontdesk-report.md
errors=$RUNNER_TEMP/frontdesk-errors.txt
eval=(frontdesk eval "$APP")
# One file or folder a line. In one line several are separated by spaces, unless it is the name of one. With files the command runs theirs alone, so the
# app's own evaluations are named too.
TESTS=${TESTS:-}
TESTS=${TESTS//$'\r'/}
tests=()
if [[ $TESTS == *$'\n'* ]]; then
  while IFS=$' \t' read -r test; do [ -n "$test" ] && tests+=("$test"); done <<<"$TESTS"
elif [ -e "$TESTS" ]; then
  tests=("$TESTS")
else
  read -ra tests <<<"$TESTS"
fi
if [ ${#tests[@]} -gt 0 ]; then
  own=$APP/evaluations
  if [ -f "$APP" ]; then
    unzip -oq "$APP" -d "$RUNNER_TEMP/frontdesk-app" || { echo "::error::$APP cannot be unpacked."; exit 1; }
    own=$(find "$RUNNER_TEMP/frontdesk-app" -maxdepth 2 -type d -name evaluations | head -n 1)
  fi
  for test in "${tests[@]}"; do [ "$test" -ef "$own" ] && own=; done
  [ -d "$own" ] && eval+=("$own")
  eval+=("${tests[@]}")
fi
[ -n "${MODEL:-}" ] && eval+=(--model "$MODEL")
[ -n "${GATE:-}" ] && eval+=(--gate "$GATE")
[ -n "${BUDGET:-}" ] && eval+=(--budget "$BUDGET")
[ -n "${RUNS:-}" ] && eval+=(--runs "$RUNS")
[ -n "${TAGS:-}" ] && eval+=(--tags "$TAGS")
[ -n "${AGAINST:-}" ] && eval+=(--against "$AGAINST")
[ -n "$fake_tools" ] && eval+=(--fake-tools)
[ -n "$allow_not_measured" ] && eval+=(--allow-not-measured)
"${eval[@]}" --junit "$junit" --markdown "$report" 2>"$errors"
evaluated=$?
cat "$errors" >&2

[ -f "$junit" ] && echo "junit=$junit" >>"$GITHUB_OUTPUT"
if [ -f "$report" ]; then
  cat "$report" >>"$GITHUB_STEP_SUMMARY"
elif [ "$evaluated" -ne 0 ]; then
  printf '## Evaluations of %s could not run\n\n```text\n%s\n```\n' "$APP" "$(<"$errors")" >>"$GITHUB_STEP_SUMMARY"
fi
[ "$linted" -ne 0 ] && echo "::error::The linter found errors in $APP."
if [ "$evaluated" -ne 0 ]; then
  reason=$(tail -n 1 "$errors")
  if [ -f "$report" ]; then echo "::error::Evaluations of $APP did not pass."; else echo "::error::Evaluations of $APP could not run: ${reason//%/%25}"; fi
fi
[ "$linted" -eq 0 ] && [ "$evaluated" -eq 0 ]
