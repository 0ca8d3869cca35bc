import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code } from "#status";
import type { Verdict } from "../verdict.ts";
import { checkGates, type GatedCase } from "./check-gates.ts";
import { readGates } from "./gates-file.ts";
import { plannedRepeats } from "./plan-repeats.ts";

const P: Verdict = "passed";
const F: Verdict = "failed";
const N: Verdict = "not-measured";

function aCase(name: string, verdicts: readonly Verdict[], ...tags: readonly string[]): GatedCase {
  return { name, tags, verdicts, turnSeconds: [] };
}

function checked(file: string, cases: readonly GatedCase[], baseline: readonly GatedCase[] = [], today = "2026-11-22") {
  return checkGates(readGates(file, "gates.yaml"), { cases, baselines: new Map([["v7", baseline]]), today });
}

describe("a gate on pass^k", () => {
  const gate = "gates: [{name: P0 always passes, tag: P0, passAll: 3}]";
  const rows: readonly [string, readonly GatedCase[], Verdict][] = [
    ["passes when each case passed three times", [aCase("a", [P, P, P], "P0")], P],
    ["fails with the first failure", [aCase("a", [P, F], "P0")], F],
    ["is open with fewer verdicts", [aCase("a", [P, P], "P0")], N],
    ["does not count what was not measured", [aCase("a", [P, P, N], "P0")], N],
    ["ignores cases without its tag", [aCase("a", [P, P, P], "P0"), aCase("b", [F, F, F])], P],
    ["is not measured without cases", [aCase("b", [P])], N],
  ];
  for (const [title, cases, verdict] of rows) {
    it(title, () => assert.equal(checked(gate, cases).verdict, verdict));
  }

  it("names twenty cases, and counts the others", () => {
    const failed = Array.from({ length: 100 }, (_, at) => aCase(`case ${at}`, [F], "P0"));
    const [result] = checked(gate, failed).results;
    assert.match(result?.explanation ?? "", /'case 19' passed 0 of 1; and 80 more; pass\^3 must be 1 or more\.$/);
  });

  it("asks for repeats only where the verdict is open", () => {
    const cases = [
      aCase("open", [P], "P0"),
      aCase("failed", [F], "P0"),
      aCase("done", [P, P, P], "P0"),
      aCase("b", []),
    ];
    assert.deepEqual([...plannedRepeats(readGates(gate, "gates.yaml"), cases)], [["open", 2]]);
  });
});

describe("a gates file", () => {
  const refused: readonly (readonly [text: string, message: RegExp])[] = [
    ["gates:\n  - {name: *P0*, passAll: 3}", /^gates\.yaml:2: The alias \*P0\* has no anchor before it/],
    ["gates: [{name: a}]", /^gates\.yaml:1: gates\.0 says nothing to check/],
    ["gates: [", /^gates\.yaml:1: /],
  ];
  for (const [text, rawMessage] of refused)
    it(`is refused with its line: ${JSON.stringify(text)}`, () => {
      assert.throws(() => readGates(text, "gates.yaml"), { code: Code.FailedPrecondition, rawMessage });
    });
});

describe("a gate on the pass rate", () => {
  it("compares the share, and says its interval and what was not measured", () => {
    const gate = "gates: [{name: Suite, atLeast: 0.8}]";
    const { results } = checked(gate, [aCase("a", [P, P, P, P, P, N])]);
    assert.equal(results[0]?.verdict, "passed");
    assert.equal(
      results[0]?.explanation,
      "5 of 5 passed: 100 % (95 % interval 56.6 % to 100 %); 80 % is asked for. 1 was not measured.",
    );
    assert.equal(checked(gate, [aCase("a", [P, F])]).verdict, "failed");
  });

  it("is not measured when what was not measured could bring the share below it (EVAL-24)", () => {
    const gate = "gates: [{name: Suite, atLeast: 0.8}]";
    const { results } = checked(gate, [aCase("a", [P, P, P, P, F]), aCase("b", [N, N])]);
    assert.equal(results[0]?.verdict, "not-measured");
    assert.equal(
      results[0]?.explanation,
      "4 of 5 passed: 80 % (95 % interval 37.6 % to 96.4 %); 80 % is asked for. 2 were not measured, enough to bring it below 80 %.",
    );
    assert.equal(checked(gate, [aCase("a", [P, F, N, N])]).verdict, "failed", "it fails by what was measured");
  });

  it("is not measured when all are to pass and one was not measured", () => {
    const gate = "gates: [{name: Everything passes, atLeast: 1}]";
    assert.equal(checked(gate, [aCase("a", [P]), aCase("b", [N])]).verdict, "not-measured");
    assert.equal(checked(gate, [aCase("a", [P]), aCase("b", [P])]).verdict, "passed");
    assert.equal(checked(gate, [aCase("a", [F]), aCase("b", [N])]).verdict, "failed");
  });
});

describe("a gate against a version", () => {
  const gate = "gates: [{name: No drop, against: v7}]";
  const all = (verdict: Verdict) => Array.from({ length: 10 }, (_, at) => aCase(`case ${at}`, [verdict]));

  it("fails on a significant drop and passes without one", () => {
    assert.equal(checked(gate, all(F), all(P)).verdict, "failed");
    assert.equal(checked(gate, all(P), all(P)).verdict, "passed");
  });

  it("says which drop it could have found", () => {
    assert.match(
      checked(gate, all(P), all(P)).results[0]?.explanation ?? "",
      /Had [\d.]+ % of the cases or more got worse, 4 of 5 runs would have found it\./,
    );
    assert.match(
      checked(gate, [aCase("a", [P])], [aCase("a", [P])]).results[0]?.explanation ?? "",
      /too few to find any drop/,
    );
  });

  it("is not measured when so few were measured that the others could be a drop (EVAL-24)", () => {
    const most = [...all(P).slice(0, 8), ...all(N).slice(8)];
    const few = [...all(P).slice(0, 1), ...all(N).slice(1)];
    assert.equal(checked(gate, most, all(P)).verdict, "passed");
    assert.equal(checked(gate, few, all(P)).verdict, "not-measured");
    assert.equal(checked(gate, all(P), few).verdict, "passed", "what passes now has not dropped");
    assert.match(
      checked(gate, few, all(P)).results[0]?.explanation ?? "",
      / 9 were not measured, enough to be a drop\.$/,
    );
  });

  it("finds cases that pass more seldom, though most of their attempts pass (EVAL-22)", () => {
    const [before, now] = [
      [P, P, P, P, P],
      [P, P, P, F, F],
    ].map((verdicts) => Array.from({ length: 10 }, (_, at) => aCase(`case ${at}`, verdicts)));
    const [result] = checked(gate, now ?? [], before).results;
    assert.equal(result?.verdict, "failed");
    assert.match(result?.explanation ?? "", /^Against 'v7', 10 of 10 cases got worse and 0 better/);
  });

  it("is not measured without the other version's verdicts", () => {
    assert.equal(checked(gate, all(P)).verdict, "not-measured");
  });
});

describe("a gate on the time of turns (EVAL-98)", () => {
  const gate = "gates: [{name: Quick, within: 3, atLeast: 0.75}]";
  const timed = (name: string, turnSeconds: readonly number[], verdicts: readonly Verdict[] = [P]): GatedCase => ({
    ...aCase(name, verdicts),
    turnSeconds,
  });

  it("compares the share of turns, whatever came of their cases, and names the slow ones", () => {
    const { results } = checked(gate, [timed("a", [1, 3], [F]), timed("b", [0.2, 12.34])]);
    assert.equal(results[0]?.verdict, "passed");
    assert.match(
      results[0]?.explanation ?? "",
      /^3 of 4 turns took 3 s or less: 75 % .*75 % is asked for\. Slower: 12\.3 s in 'b'\.$/,
    );
    assert.equal(checked(gate, [timed("a", [1, 4])]).verdict, "failed");
    assert.equal(
      checked("gates: [{name: Quick, within: 3}]", [timed("a", [1, 1, 1, 3.1])]).verdict,
      "failed",
      "all turns",
    );
  });

  it("is not measured when what was not measured could be too slow, or no turn was taken", () => {
    assert.equal(checked(gate, [timed("a", [1, 1]), timed("b", [], [N])]).verdict, "not-measured");
    const [none] = checked(gate, [timed("a tool test", [])]).results;
    assert.deepEqual([none?.verdict, none?.explanation], [N, "No turn was taken."]);
  });
});

describe("a case that is set aside", () => {
  const gate = `
gates: [{name: All, atLeast: 1}]
setAside: [{case: flaky, until: 2026-12-01, reason: waits for the new search}]`;
  const cases = [aCase("flaky", [F]), aCase("good", [P])];

  it("does not count until its day", () => {
    const { verdict, notes } = checked(gate, cases);
    assert.equal(verdict, "passed");
    assert.deepEqual(notes, ["'flaky' does not count until 2026-12-01: waits for the new search"]);
  });

  it("counts again after it, and the report says so", () => {
    const { verdict, notes } = checked(gate, cases, [], "2026-12-02");
    assert.equal(verdict, "failed");
    assert.deepEqual(notes, ["'flaky' was set aside until 2026-12-01 and counts again."]);
  });
});

describe("a file that is no gates file", () => {
  const rows: readonly [string, RegExp][] = [
    ["gates:\n  - name: x\n    passAll: 0\n", /^gates\.yaml:3: gates\.0\.passAll /],
    ["gates:\n  - name: x\n", /^gates\.yaml:2: gates\.0 says nothing to check/],
    ["gates:\n  - name: x\n    against: v7\n    passAll: 3\n", /against is a gate of its own/],
    ["gates: [\n", /^gates\.yaml:\d+: /],
    ["gates: [{name: x, within: 3, passAll: 2}]", /passAll counts attempts and within turns: make two gates/],
    ["gates: [{name: x, within: 0}]", /^gates\.yaml:1: gates\.0\.within /],
    ["gates: []\n", /^gates\.yaml:1: gates /],
    ["gates: [{name: a, atLeast: 1}]\nsetAside: [{case: a, until: tomorrow, reason: x}]", /must be a day such as/],
  ];
  for (const [text, message] of rows) {
    it(`is refused with file, line and fix: ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => readGates(text, "gates.yaml"),
        (error: { rawMessage?: string }) => message.test(error.rawMessage ?? ""),
      );
    });
  }
});
