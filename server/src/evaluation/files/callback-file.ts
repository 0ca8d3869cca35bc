import { isJsonObject, type JsonValue } from "#base";
import type { AttemptContext, TestAttempt, TestCase, TestCheck } from "../suite/contract.ts";
import { textCheck } from "../suite/turn-text.ts";
import { allOf, verdictOf } from "../verdict.ts";
import { CALLBACK_TEST_RUNNER } from "./callback-test-runner.ts";
import type { TestFile } from "./test-source.ts";

/** The pytest file of a callback (EVAL-90): its test functions run in the sandbox, each a check of one case. */
export function readCallbackFile(file: TestFile): TestCase {
  return {
    name: file.path,
    kind: "callback test",
    tags: [],
    file: file.path,
    line: 1,
    run: (context) => run(file, context),
  };
}

async function run({ path, text, callback }: TestFile, { deps, signal }: AttemptContext): Promise<TestAttempt> {
  if (callback === undefined)
    return unmeasured(
      `${path}:1: There is no python_code.py beside the test. Put it there, as the app's folder has it.`,
    );
  const call = { code: CALLBACK_TEST_RUNNER, filename: path, args: { callback, tests: text, path } };
  const { value, problem } = await deps.runPython(call, signal);
  if (problem !== "") return unmeasured(`${path}: ${problem}`);
  const { error, results } = isJsonObject(value) ? value : {};
  if (typeof error === "string" && error !== "") return unmeasured(error);
  const checks = Array.isArray(results) ? results.map(toCheck) : [];
  if (checks.length === 0) return unmeasured(`${path}:1: has no test functions. Name them test_….`);
  return { verdict: allOf(checks.map(({ verdict }) => verdict)), checks, problem: "" };
}

function toCheck(result: JsonValue): TestCheck {
  const { name, error } = isJsonObject(result) ? result : {};
  const why = typeof error === "string" ? error : "";
  return textCheck(String(name), verdictOf(why === ""), "", "", why);
}

function unmeasured(problem: string): TestAttempt {
  return { verdict: "not-measured", checks: [], problem };
}
