import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGenerations } from "./generations.ts";

describe("generations of a name", () => {
  it("grow with a write at or below it, and stay with any other", () => {
    const generations = createGenerations();
    generations.bump("apps/a/agents/x");
    assert.deepEqual(["apps/a/agents/x", "apps/a", "apps/a/agents/y", "apps/b"].map(generations.of), [1, 1, 0, 0]);
    generations.bump("apps/a");
    assert.deepEqual(["apps/a/agents/x", "apps/a"].map(generations.of), [1, 2]);
  });

  it("grow for all that was deleted with a tree", () => {
    const generations = createGenerations();
    generations.bumpTree("apps/a");
    assert.deepEqual(["apps/a", "apps/a/agents/never-written", "apps/ab"].map(generations.of), [1, 1, 0]);
    generations.bump("apps/a/agents/x");
    assert.deepEqual(["apps/a", "apps/a/agents/x", "apps/a/agents/y"].map(generations.of), [2, 2, 1]);
  });

  it("never go back, however many names are written", () => {
    const generations = createGenerations();
    generations.bump("apps/first");
    generations.bumpTree("apps/tree");
    const before = [generations.of("apps/first"), generations.of("apps/tree/agents/x")];
    for (let at = 0; at < 25_000; at += 1) generations.bump(`apps/${at}`);
    const after = [generations.of("apps/first"), generations.of("apps/tree/agents/x")];
    assert.ok(
      after.every((generation, at) => generation >= (before[at] ?? 0)),
      `${before} then ${after}`,
    );
    const last = generations.of("apps/first");
    generations.bump("apps/first");
    assert.ok(generations.of("apps/first") > last);
  });
});
