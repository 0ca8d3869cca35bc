import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import { type Finding, jsonReport, RULES, sarifReport, textReport } from "#lint";

const FINDINGS: readonly Finding[] = [
  { rule: "I008", severity: "error", file: "agents/A b/instruction#1.txt", line: 3, column: 7, message: "no agent" },
  { rule: "T012", severity: "warning", file: "tools/é.json", line: 1, message: "no description", fix: [] },
  { rule: "P001", severity: "info", file: "app.json", message: "a hint" },
];
const RESULT = { findings: FINDINGS, fixed: 2, warnings: [] };

const text = { type: "object", required: ["text"], properties: { text: { type: "string", minLength: 1 } } };
const level = { enum: ["none", "note", "warning", "error"] };
const position = { type: "integer", minimum: 1 };
const region = {
  type: "object",
  required: ["startLine"],
  properties: { startLine: position, startColumn: position },
  additionalProperties: false,
};
const physicalLocation = {
  type: "object",
  required: ["artifactLocation"],
  properties: {
    // A relative reference (RFC 3986) without spaces, fragment and query.
    artifactLocation: {
      type: "object",
      required: ["uri"],
      properties: { uri: { type: "string", pattern: "^[^/\\s#?][^\\s#?]*$" } },
    },
    region,
  },
  additionalProperties: false,
};
const result = {
  type: "object",
  required: ["ruleId", "ruleIndex", "level", "message", "locations"],
  properties: {
    ruleId: { enum: RULES.map(({ id }) => id) },
    ruleIndex: { type: "integer", minimum: 0, maximum: RULES.length - 1 },
    level,
    message: text,
    locations: {
      type: "array",
      minItems: 1,
      items: { type: "object", required: ["physicalLocation"], properties: { physicalLocation } },
    },
  },
  additionalProperties: false,
};
const rule = {
  type: "object",
  required: ["id", "name", "shortDescription", "defaultConfiguration"],
  properties: { shortDescription: text, defaultConfiguration: { type: "object", properties: { level } } },
};
const driver = {
  type: "object",
  required: ["name", "version", "rules"],
  properties: { rules: { type: "array", uniqueItems: true, items: rule } },
};

/** The part of SARIF 2.1.0 (sections 3.13 to 3.30) that the report writes. */
const SARIF = {
  type: "object",
  required: ["version", "runs"],
  properties: {
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      items: {
        type: "object",
        required: ["tool", "results"],
        properties: {
          tool: { type: "object", required: ["driver"], properties: { driver } },
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          results: { type: "array", items: result },
        },
      },
    },
  },
};

describe("reports of frontdesk lint", () => {
  it("are SARIF 2.1.0, whatever a finding has and a file is called", () => {
    const log = JSON.parse(sarifReport(RESULT, "1.0.0"));
    const ajv = new Ajv({ allErrors: true, strict: false });
    assert.ok(ajv.validate(SARIF, log), ajv.errorsText());
    const { results, tool } = log.runs[0];
    for (const [index, { rule: id }] of FINDINGS.entries())
      assert.equal(tool.driver.rules[results[index].ruleIndex].id, id);
    assert.equal(results[0].locations[0].physicalLocation.artifactLocation.uri, "agents/A%20b/instruction%231.txt");
    assert.equal(results[2].level, "note");
  });

  it("are one line for each finding, with the counts, for people", () => {
    assert.deepEqual(textReport(RESULT).split("\n"), [
      "agents/A b/instruction#1.txt:3:7: error I008 no agent",
      "tools/é.json:1: warning T012 no description",
      "app.json: info P001 a hint",
      "",
      "1 error, 1 warning, 1 info; 2 fixed; 1 can be fixed with --fix",
    ]);
  });

  it("are one object for programs", () => {
    const { findings, fixed } = JSON.parse(jsonReport(RESULT));
    assert.deepEqual([findings.length, fixed, findings[1].fixable, findings[2].fixable], [3, 2, true, false]);
  });
});
