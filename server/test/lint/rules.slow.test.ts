import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { type Finding, lintFolder, RULES } from "#lint";
import { findPersonalData } from "#session";
import { createTestSandbox } from "../python/test-sandbox.ts";
import { CONFIG_CASES, INSTRUCTION_CASES, STRUCTURE_CASES, UNUSED_CASES } from "./app-rule-cases.ts";
import { type Changes, json, ROOT, TOOL, TOOL_FILE, withFolder } from "./clean-app.ts";
import { CALLBACK_CASES, TOOL_CASES } from "./code-rule-cases.ts";
import { EVALUATION_CASES, PERSONAL_DATA_CASES, SCHEMA_CASES, VARIABLE_CASES } from "./evaluation-rule-cases.ts";
import type { RuleCase } from "./rule-case.ts";

const CASES: readonly RuleCase[] = [
  ...CONFIG_CASES,
  ...CALLBACK_CASES,
  ...EVALUATION_CASES,
  ...PERSONAL_DATA_CASES,
  ...INSTRUCTION_CASES,
  ...SCHEMA_CASES,
  ...STRUCTURE_CASES,
  ...TOOL_CASES,
  ...UNUSED_CASES,
  ...VARIABLE_CASES,
];
/** The rules of import and validation have a test of their own. */
const TABLED = RULES.filter(({ id }) => !/^P00[1-3]$/.test(id));

const testSandbox = createTestSandbox({ maxGuests: 1 });
const { sandbox } = testSandbox;
after(() => testSandbox[Symbol.asyncDispose]());

const importFindings = async () => ({ violations: [], warnings: [], validationErrors: [] });

function findingsOf(changes: Changes): Promise<readonly Finding[]> {
  return withFolder(
    changes,
    async (folder) =>
      (await lintFolder({ folder }, { sandbox, importFindings, personalData: findPersonalData })).findings,
  );
}

/** The file of a case's finding after a run with `fix`. */
function fixedFile({ breaks, at }: RuleCase): Promise<string> {
  return withFolder(breaks, async (folder) => {
    await lintFolder({ folder, fix: true }, { sandbox, importFindings, personalData: findPersonalData });
    return readFile(join(folder, at.replace(/:\d+$/, "")), "utf8");
  });
}

function places(findings: readonly Finding[], rule: string): readonly string[] {
  return findings.filter((each) => each.rule === rule).map(({ file, line }) => `${file}:${line}`);
}

describe("rules of frontdesk lint (LINT-1, LINT-8)", () => {
  it("have nothing to say of a clean app", async () => {
    assert.deepEqual(await findingsOf({}), []);
  });

  for (const [index, each] of CASES.entries()) {
    it(`${each.rule} reports what breaks it and nothing else (${index})`, async () => {
      assert.ok(
        places(await findingsOf(each.breaks), each.rule).includes(each.at),
        JSON.stringify(await findingsOf(each.breaks), null, 1),
      );
      assert.deepEqual(places(await findingsOf(each.keeps), each.rule), []);
      if (each.fixed !== undefined) assert.equal(await fixedFile(each), each.fixed);
    });
  }

  it("call fields that the hosted product writes and the definitions lack or require a hint only (LINT-4)", async () => {
    const agent = { name: "root", engineType: "CHAT_ENGINE", toolsets: [{}] };
    const found = await findingsOf({ "agents/Root/Root.json": json({ ...ROOT, ...agent }) });
    const hints = found.map(({ rule, severity, line }) => `${rule} ${severity} ${line}`);
    assert.deepEqual(hints, ["V002 info 17", "V002 info 19"]);
  });

  it("take severities, ignored files and options from cxaslint.yaml, per file first (LINT-2, LINT-3)", async () => {
    const broken = { [TOOL_FILE]: TOOL.replace("-> dict", ""), "global_instruction.txt": "Be brief." };
    const settings = `rules: {T003: error, I014: off, X999: off}
ignore: ["agents/Helper/**"]
per_file: {"tools/*/python_function/*.py": {T003: warning}}
`;
    const found = await findingsOf({ ...broken, "cxaslint.yaml": settings });
    assert.deepEqual(
      found.map(({ rule, severity }) => `${rule} ${severity}`),
      ["T003 warning"],
    );
    const other = await findingsOf({ ...broken, "cxaslint.yaml": settings.replace("off,", "info,") });
    assert.deepEqual(
      other.map(({ rule, file }) => `${rule} ${file}`),
      ["I014 agents/Root/instruction.txt", `T003 ${TOOL_FILE}`],
    );
  });

  it("have a case each, and those that can be fixed a fixed one", () => {
    const cased = (rule: string) => CASES.filter((each) => each.rule === rule);
    for (const { id, fixable } of TABLED) {
      assert.ok(cased(id).length > 0, id);
      assert.equal(
        cased(id).some(({ fixed }) => fixed !== undefined),
        fixable === true,
        id,
      );
    }
  });
});
