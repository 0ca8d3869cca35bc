import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGenerations } from "./generations.ts";

describe("generations of a name", () => {
  it("grow with a write of its row, and of a row directly below it that is of a wanted type", () => {
    const generations = createGenerations();
    const ofApp = () => [generations.of("apps/a", ["Agent", "Tool"]), generations.of("apps/b", ["Agent"])];
    generations.bump("apps/a/agents/x", "Agent");
    assert.deepEqual([generations.of("apps/a/agents/x"), generations.of("apps/a/agents/y"), ...ofApp()], [1, 0, 1, 0]);
    generations.bump("apps/a", "App");
    assert.deepEqual(ofApp(), [2, 0]);
    generations.bump("apps/a/runs/r", "Run");
    generations.bump("apps/a/agents/x/results/r", "Agent");
    assert.deepEqual(ofApp(), [2, 0]);
    generations.bump("apps/a/agents/x");
    assert.deepEqual(ofApp(), [5, 0]);
  });

  it("grow for all that was deleted with a tree", () => {
    const generations = createGenerations();
    generations.bumpTree("apps/a");
    assert.deepEqual(
      ["apps/a", "apps/a/agents/never-written", "apps/ab"].map((name) => generations.of(name)),
      [1, 1, 0],
    );
    generations.bump("apps/a/agents/x", "Agent");
    assert.deepEqual(
      ["apps/a", "apps/a/agents/x", "apps/a/agents/y"].map((name) => generations.of(name, ["Agent"])),
      [2, 2, 1],
    );
  });

  it("tell what changed since an earlier one, and that they no longer know", () => {
    const generations = createGenerations();
    generations.bump("apps/a/agents/x", "Agent");
    const first = generations.of("apps/a", ["Agent"]);
    generations.bump("apps/b/agents/x", "Agent");
    generations.bump("apps/a/agents/y", "Agent");
    generations.bump("apps/a/agents/y", "Agent");
    assert.deepEqual(generations.changedSince(first, "apps/a", ["Agent"]), ["apps/a/agents/y"]);
    assert.deepEqual(generations.changedSince(first, "apps/a", ["Tool"]), []);
    generations.bumpAll();
    assert.equal(generations.changedSince(first, "apps/a", ["Agent"]), undefined);
    assert.deepEqual(generations.changedSince(generations.of("apps/a", ["Agent"]), "apps/a", ["Agent"]), []);
  });

  it("never go back, however many names are written", () => {
    const generations = createGenerations();
    generations.bump("apps/first", "App");
    generations.bumpTree("apps/tree");
    const before = [generations.of("apps/first"), generations.of("apps/tree/agents/x")];
    for (let at = 0; at < 25_000; at += 1) generations.bump(`apps/${at}`, "App");
    const after = [generations.of("apps/first"), generations.of("apps/tree/agents/x")];
    assert.ok(
      after.every((generation, at) => generation >= (before[at] ?? 0)),
      `${before} then ${after}`,
    );
    const last = generations.of("apps/first");
    generations.bump("apps/first", "App");
    assert.ok(generations.of("apps/first") > last);
  });
});
