import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { packFolder } from "#app";
import { TEST_CACHE } from "#testing/engine";
import { type CommandRun, openCommandLine, runCommand } from "../command-line.ts";
import {
  APP,
  CALLBACK,
  CALLBACK_FILE,
  type Changes,
  INSTRUCTION,
  json,
  TOOL,
  TOOL_FILE,
  withFolder,
} from "./clean-app.ts";

const EXAMPLE = join(import.meta.dirname, "../../../examples/order-desk");

const ENV = { ...process.env, FRONTDESK_CACHE: TEST_CACHE };

const commandLine = openCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

/** Runs the command in a folder. */
function lint(cwd: string, ...args: readonly string[]): Promise<CommandRun> {
  return commandLine.run(["lint", ...args], { cwd, env: ENV });
}

const lintWith = (changes: Changes, ...args: readonly string[]) =>
  withFolder(changes, (folder) => lint(folder, ".", ...args));

const NONE_DEFAULT = { [TOOL_FILE]: TOOL.replace("order_id: str", "order_id: str = None") };

describe("frontdesk lint (LINT-1)", () => {
  it("finds nothing in the example", async () => {
    const run = await runCommand(["lint", "."], { cwd: EXAMPLE, env: ENV });
    assert.deepEqual(run, { code: 0, stdout: "no findings\n", stderr: "" });
  });

  it("prints file, line, column, severity and rule, and fails for errors", async () => {
    const { code, stdout } = await lintWith(NONE_DEFAULT);
    assert.equal(code, 1);
    const message = "'order_id' has the default None; use an empty value of its type";
    const counts = "1 error, 0 warnings, 0 infos; 1 can be fixed with --fix";
    assert.equal(stdout, `${TOOL_FILE}:1:13: error T011 ${message}\n\n${counts}\n`);
  });

  it("mends what is certain with --fix", async () => {
    const { code, stdout } = await lintWith(NONE_DEFAULT, "--fix");
    assert.deepEqual([code, stdout], [0, "no findings; 1 fixed\n"]);
  });

  it("fails for warnings with --strict only", async () => {
    const bare = {
      [CALLBACK_FILE]: CALLBACK.replace("return None", "try:\n        print()\n    except:\n        pass"),
    };
    assert.equal((await lintWith(bare)).code, 0);
    assert.equal((await lintWith(bare, "--strict")).code, 1);
  });

  it("says what import and validation would, at file and line (LINT-5)", async () => {
    const changes = {
      "app.json": json({ ...APP, guardrails: ["Idle", "Nobody"], timeZoneSetings: {} }),
      "guardrails/Idle/Idle.json": json({ name: "idle", displayName: "Idle", contentFilter: {} }),
    };
    const { stdout } = await lintWith(changes, "--format", "json");
    const found = JSON.parse(stdout).findings.map(
      (each: { rule: string; file: string }) => `${each.rule} ${each.file}`,
    );
    assert.deepEqual(found, ["P001 app.json", "V001 app.json", "V005 guardrails/Idle/Idle.json"]);
    const { stdout: valid } = await lintWith({ "guardrails/Idle/Idle.json": changes["guardrails/Idle/Idle.json"] });
    assert.match(valid, /^guardrails\/Idle\/Idle\.json:1:1: warning P003 Guardrail 'Idle' has no action/m);
  });

  it("says what it finds in the code of a guardrail at the line of the code", async () => {
    const code = "guardrails/Limits/code_callback/before_agent_callback/python_code.py";
    const guardrail = {
      ...{ name: "limits", displayName: "Limits", enabled: true },
      action: { respondImmediately: { responses: [{ text: "No." }] } },
      codeCallback: { beforeAgentCallback: { pythonCode: code } },
    };
    const { stdout } = await lintWith({
      "app.json": json({ ...APP, guardrails: ["Limits"] }),
      "guardrails/Limits/Limits.json": json(guardrail),
      [code]: "import json\n\n\ndef before_agent_callback(context):\n    return None\n",
    });
    assert.match(stdout, new RegExp(`^${code}:4:27: warning P003 .*'context'.* has no annotation`, "m"));
  });

  it("says of a line once what a rule and the validation find there", async () => {
    const file = "agents/Root/instruction.txt";
    const reference = "Use {@TOOL: no_such_tool}.\n";
    for (const [instruction, line] of [
      [`${INSTRUCTION}${reference}`, 9],
      [`${reference}${INSTRUCTION}`, 1],
    ] as const) {
      const { stdout } = await lintWith({ [file]: instruction });
      const found = stdout.split("\n").filter((text) => text.includes("no_such_tool"));
      assert.deepEqual(
        found.map((text) => text.split(" ", 3).join(" ")),
        [`${file}:${line}:5: error I009`],
      );
    }
  });

  it("reads Python whose facts one call of the sandbox cannot return, and says which file has too many", async () => {
    const parameters = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join(", ");
    const files = (count: number, each: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`tools/big_${at}.py`, `def big(${parameters(each)}):\n    pass\n`]),
      );
    const { code, stdout, stderr } = await lintWith({ ...files(4, 5_000), ...NONE_DEFAULT }, "--format", "json");
    assert.equal(code, 1, stderr);
    assert.ok(JSON.parse(stdout).findings.some(({ file }: { file: string }) => file === TOOL_FILE));
    const large = await lintWith(files(1, 15_000));
    assert.match(large.stderr, /^frontdesk: The Python file tools\/big_0\.py could not be parsed: .* bytes .*\n$/);
    assert.equal(large.code, 2);
  });

  it("lints a zip with the paths in it", async () => {
    await withFolder(NONE_DEFAULT, async (folder) => {
      await writeFile(join(folder, "app.zip"), (await packFolder(folder, 0)).zip);
      const { code, stdout } = await lint(folder, "app.zip", "--format", "json");
      const [finding] = JSON.parse(stdout).findings;
      assert.deepEqual(
        [code, finding.rule, finding.file, finding.line, finding.fixable],
        [1, "T011", TOOL_FILE, 1, true],
      );
    });
  });

  it("writes SARIF with paths from the current folder", async () => {
    const { stdout } = await lintWith(NONE_DEFAULT, "--format", "sarif");
    const [{ results }] = JSON.parse(stdout).runs;
    assert.deepEqual(results[0].locations[0].physicalLocation, {
      artifactLocation: { uri: TOOL_FILE },
      region: { startLine: 1, startColumn: 13 },
    });
  });

  it("exits with 2 for what cannot be linted, with the reason", async () => {
    const runs: readonly [Changes, readonly string[], RegExp][] = [
      [{}, ["nowhere"], /nowhere does not exist/],
      [{ "app.json": undefined }, ["."], /has no app: name the folder with app\.json/],
      [{}, [".", "--format", "xml"], /--format is 'xml'; use text, json, sarif/],
      [{ "cxaslint.yaml": "rules: {I003: loud}" }, ["."], /rules\.I003: use error, warning, info or off, not 'loud'/],
      [{ "cxaslint.yaml": "rules: [" }, ["."], /cxaslint\.yaml/],
      [{}, [], /name one folder or zip/],
      [{}, [".", "--loud"], /'--loud'/],
    ];
    for (const [changes, args, reason] of runs) {
      const { code, stderr } = await withFolder(changes, (folder) => lint(folder, ...args));
      assert.equal(code, 2, stderr);
      assert.match(stderr, reason);
    }
  });
});
