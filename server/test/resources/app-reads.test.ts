import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResources } from "#resources";
import type { ResourceRow, ResourceStore } from "#storage";
import { APP, openResources } from "./open-resources.ts";

/** A store that counts how often all rows of an app are read, and notes which are read by their names. */
function counting(store: ResourceStore): ResourceStore & { reads: number; named: string[] } {
  const counted = {
    ...store,
    reads: 0,
    named: [] as string[],
    getMany: async (names: readonly string[]) => {
      counted.named.push(...names);
      return store.getMany(names);
    },
    withChildren: async (name: string, types: readonly string[]) => {
      counted.reads += 1;
      return store.withChildren(name, types);
    },
  };
  return counted;
}

const row = (name: string, type: string): ResourceRow => ({
  name,
  type: `ces.googleapis.com/${type}`,
  parent: name.split("/").slice(0, -2).join("/"),
  displayName: "",
  createTime: 1,
  updateTime: 1,
  etag: "",
  body: new Uint8Array(),
});

describe("the rows of an app", () => {
  it("are read once for calls at the same time, and those that were written once more", async () => {
    await using test = await openResources();
    const store = counting(test.storage.resources);
    const resources = createResources({
      store,
      clock: { now: () => 1 },
      ids: { uuid: () => "x" },
      inspectPython: async () => ({ kind: "module", functions: [] }),
    });
    const draft = () => resources.snapshots.draft(APP);
    const [{ generation }] = await Promise.all([draft(), draft(), draft()]);
    assert.equal(store.reads, 1);
    await store.write([
      { kind: "put", row: row(`${APP}/evaluations/first-one/results/one`, "EvaluationResult") },
      { kind: "put", row: row(`${APP}/evaluationRuns/one`, "EvaluationRun") },
      { kind: "delete", name: `${APP}/evaluationRuns/one`, type: "ces.googleapis.com/EvaluationRun" },
    ]);
    assert.deepEqual([(await draft()).generation, store.reads], [generation, 1]);
    await store.write([{ kind: "put", row: row(`${APP}/agents/first-agent`, "Agent") }]);
    const changed = await Promise.all([draft(), draft()]);
    assert.notEqual(changed[0].generation, generation);
    assert.deepEqual(changed[1], changed[0]);
    assert.deepEqual([store.reads, store.named], [1, [`${APP}/agents/first-agent`]]);
  });
});
