import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Storage } from "#storage";

/** What every dialect promises of values that expire. */
export function shortLivedContract(use: () => Storage): void {
  describe("values that expire", () => {
    const later = (ms: number) => Date.now() + ms;
    const value = (kind: string, key: string, body: string, expireTime = later(60_000)) => ({
      kind,
      key,
      body,
      expireTime,
    });

    it("are added once for each kind and key, until they have expired", async () => {
      const { shortLived } = use();
      assert.equal(await shortLived.add(value("added", "a", "first"), 10), true);
      assert.equal(await shortLived.add(value("added", "a", "second"), 10), false);
      assert.equal(await shortLived.add(value("other", "a", "third"), 10), true);
      assert.equal(await shortLived.get("added", "a"), "first");
      await shortLived.add(value("added", "old", "first", later(-1)), 10);
      assert.equal(await shortLived.get("added", "old"), undefined);
      assert.equal(await shortLived.add(value("added", "old", "second"), 10), true);
    });

    it("give way when there are too many of a kind, those that expire first", async () => {
      const { shortLived } = use();
      for (const at of [1, 2, 3, 4]) await shortLived.add(value("many", `${at}`, "", later(60_000 + at)), 3);
      const found = await Promise.all([1, 2, 3, 4].map((at) => shortLived.get("many", `${at}`)));
      assert.deepEqual(found, [undefined, "", "", ""]);
    });

    it("are taken by one of those that try at the same time", async () => {
      const { shortLived } = use();
      await shortLived.add(value("taken", "a", "body"), 10);
      const taken = await Promise.all([1, 2, 3].map(() => shortLived.take("taken", "a")));
      assert.deepEqual(taken.toSorted(), ["body", undefined, undefined]);
      await shortLived.add(value("taken", "old", "body", later(-1_000)), 10);
      assert.equal(await shortLived.take("taken", "old"), undefined);
    });

    it("are replaced when they are what was expected, or put whatever they are", async () => {
      const { shortLived } = use();
      await shortLived.add(value("replaced", "a", "first"), 10);
      assert.equal(await shortLived.replace("replaced", "a", "other", "second"), false);
      assert.equal(await shortLived.replace("replaced", "a", "first", "second"), true);
      assert.equal(await shortLived.get("replaced", "a"), "second");
      await shortLived.put(value("replaced", "a", "third"));
      assert.equal(await shortLived.get("replaced", "a"), "third");
      await shortLived.remove("replaced", "a");
      assert.equal(await shortLived.get("replaced", "a"), undefined);
    });
  });
}
