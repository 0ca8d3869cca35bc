import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { RULES } from "#lint";

const PAGE = join(import.meta.dirname, "../../../docs/lint.md");

/** The table of docs/lint.md. */
function tableOfRules(): string {
  const rows = RULES.map(({ id, name, severity, toolkitSeverity, fixable, summary }) => {
    const shown = toolkitSeverity ? `${severity} (${toolkitSeverity})` : severity;
    return `| ${id} | ${name} | ${shown} | ${fixable ? "fix" : ""} | ${summary} |`;
  });
  return ["| id | name | severity | | reports |", "| --- | --- | --- | --- | --- |", ...rows, ""].join("\n");
}

describe("docs/lint.md", () => {
  it("lists the rules as they are; replace its table with the expected one", () => {
    const page = readFileSync(PAGE, "utf8");
    assert.equal(page.slice(page.indexOf("| id |")), tableOfRules());
  });

  it("names every rule once", () => {
    assert.equal(new Set(RULES.map(({ id }) => id)).size, RULES.length);
    assert.equal(new Set(RULES.map(({ name }) => name)).size, RULES.length);
  });
});
