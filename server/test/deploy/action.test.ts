import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { packFiles } from "#resources";

const PROVE = resolve(import.meta.dirname, "../../../deploy/action/prove.sh");

/** Stands for the command: notes how it was called, writes the reports that it was asked for, and ends as the test wants. */
const COMMAND = `#!/bin/bash
echo "$*" >> "$RUNNER_TEMP/calls"
[ "$1" = lint ] && { printf '%s' "$LINT_SAYS"; exit "$LINT_EXIT"; }
[ "$EVAL_EXIT" = 2 ] && { echo "frontdesk: 100% of desk is missing." >&2; exit 2; }
while [ $# -gt 0 ]; do
  case "$1" in --junit) echo "<testsuites/>" > "$2" ;; --markdown) echo "2 of 2 passed" > "$2" ;; esac
  shift
done
exit "$EVAL_EXIT"
`;

/** A zip of an app with evaluations, as an export is. */
const EXPORTED = await packFiles([{ path: "evaluations/hello/hello.json", bytes: Buffer.from("{}") }], "desk", 0);

/** Runs the action's step as GitHub does. */
function prove(inputs: NodeJS.ProcessEnv) {
  const place = mkdtempSync(join(tmpdir(), "frontdesk-action-"));
  try {
    const file = (name: string) => join(place, name);
    const read = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), "utf8") : "");
    writeFileSync(file("frontdesk"), COMMAND, { mode: 0o755 });
    mkdirSync(file("my desk/evaluations"), { recursive: true });
    mkdirSync(file("my tests"));
    writeFileSync(file("exported.zip"), EXPORTED);
    const env = {
      PATH: `${place}:${process.env.PATH}`,
      RUNNER_TEMP: place,
      GITHUB_OUTPUT: file("output"),
      GITHUB_STEP_SUMMARY: file("summary"),
      LINT_EXIT: "0",
      LINT_SAYS: "",
      EVAL_EXIT: "0",
      ...inputs,
    };
    const { status, stdout } = spawnSync("bash", [PROVE], { cwd: place, env, encoding: "utf8" });
    const calls = read("calls").replaceAll(place, "").trim().split("\n");
    return { status, stdout, calls, output: read("output").replaceAll(place, ""), summary: read("summary") };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const REPORTS = "--junit /frontdesk-junit.xml --markdown /frontdesk-report.md";

describe("the step of the GitHub action", () => {
  it("lints and evaluates the app, and shows the results", () => {
    assert.deepEqual(prove({ APP: "my desk" }), {
      status: 0,
      stdout: "::group::Lint\n::endgroup::\n",
      calls: ["lint my desk", `eval my desk ${REPORTS}`],
      output: "junit=/frontdesk-junit.xml\n",
      summary: "2 of 2 passed\n",
    });
  });

  it("passes its inputs on", () => {
    const inputs = {
      STRICT: "true",
      TESTS: "a.yaml b",
      MODEL: "frontdesk/builtin",
      GATE: "gates.yaml",
      BUDGET: "calls=5",
      FAKE_TOOLS: "true",
      RUNS: "3",
      TAGS: "P0,smoke",
      AGAINST: "the old desk",
      ALLOW_NOT_MEASURED: "true",
    };
    assert.deepEqual(prove({ APP: "desk", ...inputs }).calls, [
      "lint desk --strict",
      `eval desk a.yaml b --model frontdesk/builtin --gate gates.yaml --budget calls=5 --runs 3 --tags P0,smoke --against the old desk --fake-tools --allow-not-measured ${REPORTS}`,
    ]);
  });

  it("takes switches in any case, and runs nothing with one that is neither true nor false", () => {
    const [lint, evaluated] = prove({
      APP: "desk",
      STRICT: "True",
      FAKE_TOOLS: "TRUE",
      ALLOW_NOT_MEASURED: "False",
    }).calls;
    assert.deepEqual([lint, evaluated], ["lint desk --strict", `eval desk --fake-tools ${REPORTS}`]);
    for (const [name, input] of [
      ["STRICT", "strict"],
      ["FAKE_TOOLS", "fake-tools"],
      ["ALLOW_NOT_MEASURED", "allow-not-measured"],
    ] as const) {
      const { status, stdout, calls } = prove({ APP: "desk", [name]: "yes" });
      assert.deepEqual([status, stdout, calls], [1, `::error::${input} is 'yes'; use true or false.\n`, [""]]);
    }
  });

  it("runs tests beside the evaluations of the app, which is a folder or a zip, and each once", () => {
    const evaluated = (APP: string, TESTS: string) => prove({ APP, TESTS }).calls[1];
    assert.equal(evaluated("my desk", "a.yaml b"), `eval my desk my desk/evaluations a.yaml b ${REPORTS}`);
    assert.equal(evaluated("exported.zip", "b"), `eval exported.zip /frontdesk-app/desk/evaluations b ${REPORTS}`);
    const named = "frontdesk-app/desk/evaluations/";
    assert.equal(evaluated("exported.zip", named), `eval exported.zip ${named} ${REPORTS}`);
  });

  it("takes names of tests with spaces: one alone, or one a line", () => {
    const evaluated = (TESTS: string) => prove({ APP: "desk", TESTS }).calls[1];
    assert.equal(evaluated("my tests"), `eval desk my tests ${REPORTS}`);
    assert.equal(evaluated("a.yaml\nmy tests\r\n\n  b.yaml \n"), `eval desk a.yaml my tests b.yaml ${REPORTS}`);
  });

  it("shows what the linter found beside the lines", () => {
    const LINT_SAYS =
      "desk/agents/A/A.json:2:11: error A005 50% is wrong\ndesk/a b.py:4:1: warning T007 x\ndesk/c.py:1:1: info T003 y\n\n1 error\n";
    const { stdout } = prove({ APP: "desk", LINT_SAYS });
    assert.match(stdout, /^::error file=desk\/agents\/A\/A\.json,line=2,col=11::A005 50%25 is wrong$/m);
    assert.match(stdout, /^::warning file=desk\/a b\.py,line=4,col=1::T007 x$/m);
    assert.doesNotMatch(stdout, /^::.*T003/m);
  });

  it("says why evaluations could not run, and names no file that is not there", () => {
    const { status, stdout, output, summary } = prove({ APP: "desk", EVAL_EXIT: "2" });
    assert.equal(status, 1);
    assert.match(stdout, /^::error::Evaluations of desk could not run: frontdesk: 100%25 of desk is missing\.$/m);
    assert.equal(output, "");
    assert.match(summary, /Evaluations of desk could not run[\s\S]*frontdesk: 100% of desk is missing\./);
  });

  for (const [what, exits, message] of [
    ["the linter finds errors", { LINT_EXIT: "1" }, /::error::The linter found errors in desk\./],
    ["an evaluation fails", { EVAL_EXIT: "1" }, /::error::Evaluations of desk did not pass\./],
  ] as const)
    it(`fails when ${what}, with the results of both`, () => {
      const { status, stdout, calls, summary } = prove({ APP: "desk", ...exits });
      assert.equal(status, 1);
      assert.match(stdout, message);
      assert.equal(calls.length, 2);
      assert.equal(summary, "2 of 2 passed\n");
    });
});
