import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestFileError } from "../files/test-source.ts";
import { readGates } from "../gates/gates-file.ts";
import type { Verdict } from "../verdict.ts";
import type { TestCase, TestContext } from "./contract.ts";
import { type ByteCache, runSuite, type SuiteOptions } from "./run-suite.ts";

const faults: string[] = [];
const logger = { error: ({ err }: { err: Error }, message: string) => faults.push(`${message}: ${err.message}`) };
const CONTEXT = { signal: new AbortController().signal, deps: { logger } } as unknown as TestContext;

function options(more: Partial<SuiteOptions> = {}): SuiteOptions {
  return { runs: 1, concurrency: 2, today: "2026-11-22", now: () => 0, ...more };
}

/** A test whose attempts have these verdicts, the last one for ever. */
function aTest(name: string, verdicts: readonly Verdict[], more: Partial<TestCase> = {}): TestCase {
  const left = [...verdicts];
  return {
    name,
    kind: "golden",
    tags: ["P0"],
    file: "",
    line: 0,
    run: async () => ({ verdict: (left.length > 1 ? left.shift() : left[0]) ?? "passed", checks: [], problem: "" }),
    ...more,
  };
}

const verdictsOf = (cases: Awaited<ReturnType<typeof runSuite>>["cases"]) =>
  cases.map(({ attempts }) => attempts.map(({ verdict }) => verdict));

describe("a suite", () => {
  it("runs a case again only while its gate is open (EVAL-25)", async () => {
    const gates = readGates("gates: [{name: P0, tag: P0, passAll: 3}]", "gates.yaml");
    const tests = [aTest("good", ["passed"]), aTest("bad", ["failed"]), aTest("other", ["passed"], { tags: [] })];
    const { cases, verdict } = await runSuite(tests, CONTEXT, options({ gates }));
    assert.deepEqual(verdictsOf(cases), [["passed", "passed", "passed"], ["failed"], ["passed"]]);
    assert.equal(verdict, "failed");
  });

  it("tells cases of one name apart, and runs a case after the one that it goes on from", async () => {
    const order: string[] = [];
    const noting = (name: string, more: Partial<TestCase>): TestCase =>
      aTest(name, ["passed"], {
        ...more,
        run: async () => {
          order.push(`${name} ${more.file ?? ""}`.trim());
          return { verdict: "passed", checks: [], problem: "" };
        },
      });
    const tests = [noting("child", { after: "parent" }), noting("parent", {}), noting("parent", { file: "b.yaml" })];
    const { cases } = await runSuite(tests, CONTEXT, options({ concurrency: 1 }));
    assert.deepEqual(
      cases.map(({ test }) => test.name),
      ["child", "parent", "parent (b.yaml)"],
    );
    assert.equal(order.at(-1), "child");
  });

  it("orders long chains and circles in one pass", async () => {
    const order: string[] = [];
    const noting = (name: string, after?: string): TestCase =>
      aTest(name, ["passed"], {
        ...(after !== undefined && { after }),
        run: async () => {
          order.push(name);
          return { verdict: "passed", checks: [], problem: "" };
        },
      });
    const count = 12_000;
    const chain = Array.from({ length: count }, (_, at) =>
      noting(`case ${at}`, at === 0 ? undefined : `case ${at - 1}`),
    );
    const circle = [noting("one", "two"), noting("two", "one"), noting("own", "own")];
    await runSuite([...circle, ...chain.toReversed()], CONTEXT, options({ concurrency: 1 }));
    assert.equal(order.length, count + circle.length);
    assert.deepEqual(
      order.filter((name) => name.startsWith("case ")),
      chain.map(({ name }) => name),
    );
  });

  it("does not measure what rejects, with its place, and goes on", async () => {
    const problem = { file: "a.yaml", line: 7, message: "is wrong." };
    const tests = [
      aTest("broken", [], { run: () => Promise.reject(new TestFileError(problem)) }),
      aTest("good", ["passed"]),
      aTest("faulty", [], { run: () => Promise.reject(new TypeError("a fault")) }),
    ];
    const { cases, verdict } = await runSuite(tests, CONTEXT, options());
    assert.equal(cases[0]?.attempts[0]?.problem, "a.yaml:7: is wrong.");
    assert.deepEqual(verdictsOf(cases), [["not-measured"], ["passed"], ["not-measured"]]);
    // The log has what the report cannot say.
    assert.deepEqual(faults.splice(0), ["a test could not be run: a fault"]);
    assert.equal(verdict, "not-measured");
  });

  it("that is interrupted has the verdicts that are known, and measures nothing else (EVAL-94)", async () => {
    const stop = new AbortController();
    const waiting = aTest("waiting", [], {
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          stop.abort();
        }),
    });
    const tests = [aTest("known", ["passed"]), waiting, aTest("left", ["passed"])];
    const { cases, verdict } = await runSuite(tests, CONTEXT, options({ concurrency: 1, interrupted: stop.signal }));
    assert.deepEqual(verdictsOf(cases), [["passed"], ["not-measured"], ["not-measured"]]);
    assert.deepEqual(
      cases.map(({ attempts }) => attempts[0]?.problem),
      ["", "The run was interrupted.", "The run was interrupted."],
    );
    assert.equal(verdict, "not-measured");
  });

  it("keeps answers by case and repeat (EVAL-60)", async () => {
    const kept = new Map<string, Uint8Array>();
    const store: ByteCache = {
      get: async (key) => kept.get(key),
      put: async (key, bytes) => void kept.set(key, bytes),
    };
    await runSuite([aTest("a", ["passed"]), aTest("b", ["passed"])], CONTEXT, options({ runs: 2, kept: store }));
    assert.equal(kept.size, 4);
    await runSuite([aTest("a", ["passed"])], CONTEXT, options({ kept: store }));
    assert.equal(kept.size, 4);
  });
});
