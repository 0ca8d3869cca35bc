#!/usr/bin/env bash
# The step of the action: lints, evaluates, and writes the results where GitHub shows them. Both run, whatever the first says.
set -uo pipefail

lint=(frontdesk lint "$APP")
[ "${STRICT:-}" = true ] && lint+=(--strict)
echo "::group::Lint"
"${lint[@]}"
linted=$?
echo "::endgroup::"

junit=$RUNNER_TEMP/frontdesk-junit.xml
report=$RUNNER_TEMP/frontdesk-report.md
eval=(frontdesk eval "$APP")
# Several files or folders are separated by spaces. With files the command runs theirs alone, so the app's own evaluations are named too.
if [ -n "${TESTS:-}" ]; then
  read -ra tests <<<"$TESTS"
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
[ "${FAKE_TOOLS:-}" = true ] && eval+=(--fake-tools)
"${eval[@]}" --junit "$junit" --markdown "$report"
evaluated=$?

echo "junit=$junit" >>"$GITHUB_OUTPUT"
[ -f "$report" ] && cat "$report" >>"$GITHUB_STEP_SUMMARY"
[ "$linted" -ne 0 ] && echo "::error::The linter found errors in $APP."
[ "$evaluated" -ne 0 ] && echo "::error::Evaluations of $APP did not pass."
[ "$linted" -eq 0 ] && [ "$evaluated" -eq 0 ]
