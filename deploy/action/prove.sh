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
# Several files or folders are separated by spaces.
[ -n "${TESTS:-}" ] && read -ra tests <<<"$TESTS" && eval+=("${tests[@]}")
[ -n "${MODEL:-}" ] && eval+=(--model "$MODEL")
[ -n "${GATE:-}" ] && eval+=(--gate "$GATE")
[ -n "${BUDGET:-}" ] && eval+=(--budget "$BUDGET")
"${eval[@]}" --junit "$junit" --markdown "$report"
evaluated=$?

echo "junit=$junit" >>"$GITHUB_OUTPUT"
[ -f "$report" ] && cat "$report" >>"$GITHUB_STEP_SUMMARY"
[ "$linted" -ne 0 ] && echo "::error::The linter found errors in $APP."
[ "$evaluated" -ne 0 ] && echo "::error::Evaluations of $APP did not pass."
[ "$linted" -eq 0 ] && [ "$evaluated" -eq 0 ]
