import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseDocument } from "htmlparser2";
import type { TestCheck } from "../suite/contract.ts";
import type { TestedCase } from "../suite/run-suite.ts";
import { allOf, type Verdict } from "../verdict.ts";
import { ctrfReport } from "./ctrf-report.ts";
import { htmlReport } from "./html-report.ts";
import { junitReport } from "./junit-report.ts";
import { markdownReport } from "./markdown-report.ts";
import type { SuiteReport } from "./suite-report.ts";
import { terminalReport } from "./terminal-report.ts";

/** Markup, quotes, a mention, a table cell's end, a fence, and what XML cannot have. */
const HOSTILE = '<script>alert(1)</script> & "it\'s" @team | `x` \u0000 \uD800 ]]> ```';

const CHECK: TestCheck = {
  title: `turn 1: ${HOSTILE}`,
  verdict: "failed",
  expected: HOSTILE,
  observed: "observed text",
  explanation: "",
  span: "Tool look_up_order, 3.0 ms",
};

function tested(name: string, ...verdicts: readonly Verdict[]): TestedCase {
  const attempts = verdicts.map((verdict) => ({
    verdict,
    checks: verdict === "failed" ? [CHECK] : [],
    problem: verdict === "not-measured" ? HOSTILE : "",
    durationMs: 12,
  }));
  return {
    test: { name, kind: "golden", tags: ["P0"], file: "tests/goldens.yaml", line: 3 },
    attempts,
    verdict: allOf(verdicts),
  };
}

const REPORT: SuiteReport = {
  subject: "app",
  model: "frontdesk/builtin",
  startTime: Date.UTC(2026, 10, 22),
  durationMs: 1_234,
  used: { calls: 2, tokens: 1_500, dollars: 0.0125 },
  warnings: [],
  cases: [tested("good", "passed", "passed"), tested(HOSTILE, "passed", "failed"), tested("unknown", "not-measured")],
  gates: {
    results: [{ gate: { name: "P0", passAll: 2 }, verdict: "failed", explanation: "'x' passed 1 of 2" }],
    verdict: "failed",
    notes: [],
  },
  verdict: "failed",
};

/** The common schema of JUnit XML: elements with their required attributes and possible children. */
const JUNIT: Readonly<
  Record<string, { readonly attributes: readonly string[]; readonly children: readonly string[] }>
> = {
  testsuites: { attributes: ["name", "tests", "failures", "errors", "time"], children: ["testsuite"] },
  testsuite: {
    attributes: ["name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
    children: ["testcase"],
  },
  testcase: { attributes: ["name", "classname", "time"], children: ["failure", "skipped"] },
  failure: { attributes: ["message", "type"], children: [] },
  skipped: { attributes: ["message"], children: [] },
};

interface Element {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
}

function elements({ children }: Pick<Element, "children">): readonly Element[] {
  return children.filter(({ name }) => name !== undefined && !name.startsWith("?"));
}

function checkElement(element: Element): void {
  const schema = JUNIT[element.name];
  assert.ok(schema, `<${element.name}> is not in the schema`);
  assert.deepEqual(Object.keys(element.attribs).sort(), [...schema.attributes].sort(), element.name);
  for (const child of elements(element)) {
    assert.ok(schema.children.includes(child.name), `<${child.name}> in <${element.name}>`);
    checkElement(child);
  }
}

describe("JUnit XML", () => {
  const xml = junitReport(REPORT);
  const [root] = elements(parseDocument(xml, { xmlMode: true }) as unknown as Element);
  assert.ok(root);

  it("has the elements and attributes of the common schema", () => checkElement(root));

  it("counts attempts and gates, and what was not measured as skipped", () => {
    const suites = elements(root).map(({ attribs }) => [
      attribs.name,
      attribs.tests,
      attribs.failures,
      attribs.skipped,
    ]);
    assert.deepEqual(suites, [
      ["tests/goldens.yaml", "5", "1", "1"],
      ["gates", "1", "1", "0"],
    ]);
    assert.equal(root.attribs.tests, "6");
  });

  it("has no character that XML cannot have", () => {
    assert.ok(xml.isWellFormed() && !xml.includes("\u0000"));
    assert.doesNotMatch(xml, /<script>/);
  });
});

interface CtrfTest {
  readonly status: string;
  readonly duration: number;
  readonly suite: readonly string[];
}

describe("CTRF", () => {
  const { reportFormat, specVersion, results } = JSON.parse(ctrfReport(REPORT));

  it("has the required fields, and statuses of the format", () => {
    assert.deepEqual([reportFormat, specVersion, results.tool.name], ["CTRF", "0.0.0", "frontdesk eval"]);
    const { tests, passed, failed, skipped, pending, other, start, stop } = results.summary;
    assert.deepEqual([tests, passed, failed, skipped, pending, other], [3, 1, 1, 1, 0, 0]);
    assert.ok(Number.isInteger(start) && stop >= start);
    assert.deepEqual(
      results.tests.map(({ status, duration, suite }: CtrfTest) => [status, duration, suite]),
      [
        ["passed", 24, ["tests/goldens.yaml"]],
        ["failed", 24, ["tests/goldens.yaml"]],
        ["skipped", 12, ["tests/goldens.yaml"]],
      ],
    );
  });
});

describe("reports for people", () => {
  it("show expected and observed side by side with the span, and hostile text as text", () => {
    const html = htmlReport(REPORT);
    assert.doesNotMatch(html, /<script|https?:/);
    const row = "<td><pre>observed text</pre></td><td><pre>Tool look_up_order, 3.0 ms</pre></td></tr>";
    assert.ok(html.includes(row));
  });

  it("fold reasons in Markdown, where text is neither markup nor a mention", () => {
    const markdown = markdownReport(REPORT);
    assert.match(markdown, /^## ❌ Evaluations of app: failed\n/);
    assert.match(markdown, /^\| good \| ✅ passed \| 2 of 2 \|/m);
    const [prose = ""] = markdown.split("<details>");
    assert.doesNotMatch(prose, /<script|@team/);
    assert.match(markdown, /^````text$/m);
  });

  it("fit in a comment on a pull request in Markdown, whatever the number of cases, with what did not pass first", () => {
    const of = (count: number, name: string, verdict: Verdict) =>
      Array.from({ length: count }, (_, at) => tested(`${name} ${at}`, verdict));
    const cases = [...of(5_000, "good", "passed"), ...of(2_000, "bad", "failed"), ...of(3_000, "away", "not-measured")];
    const markdown = markdownReport({ ...REPORT, cases });
    assert.ok(markdown.length < 65_536, `${markdown.length} characters`);
    assert.match(markdown, /^5000 passed, 2000 failed, 3000 not measured, in /m);
    assert.match(markdown, /^\| --- \| --- \| --- \| --- \|\n\| bad 0 \| ❌ failed \|/m);
    const [, listed = "", left = ""] =
      /^(\d+) more cases are not listed: 5000 passed, (\d+) failed, 3000 not/m.exec(markdown) ?? [];
    assert.equal(Number(listed), 8_000 + Number(left));
    const shown = markdown.split("<details>").length - 1;
    assert.ok(shown > 20, `${shown} reasons`);
    assert.ok(
      markdown.includes(`The reasons of ${5_000 - shown} more cases that did not pass are in the other reports`),
    );
  });

  it("cut the reasons of one case that are longer than a comment", () => {
    const long = { ...CHECK, explanation: "x".repeat(100_000) };
    const [attempt] = tested("long", "failed").attempts;
    assert.ok(attempt);
    const cases = [
      { ...tested("long", "failed"), attempts: [{ ...attempt, checks: [long] }] },
      tested("next", "failed"),
    ];
    const markdown = markdownReport({ ...REPORT, cases });
    assert.ok(markdown.length < 10_000);
    assert.match(markdown, /^…$/m);
    assert.match(markdown, /<summary>❌ next<\/summary>/);
  });

  it("have one line a case on a terminal, and colors only there", () => {
    const text = terminalReport(REPORT, false);
    assert.match(text, /^✓ good {2}\(golden, tests\/goldens\.yaml:3\) {2}2 of 2 passed$/m);
    assert.match(
      text,
      /1 passed, 1 failed, 1 not measured in 1\.2 s, model frontdesk\/builtin, 2 model calls, 1500 tokens, 0\.0125 US dollars$/m,
    );
    assert.ok(!text.includes("\u001b"));
    assert.ok(terminalReport(REPORT, true).includes("\u001b[31m"));
  });
});
