import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import type { Storage } from "#storage";
import { bytes } from "./rows.ts";

/** The contract of blobs. */
export function blobContract(use: () => Storage): void {
  describe("blobs", () => {
    const store = () => use().blobs;

    it("stores, returns, replaces and removes bytes by any key", async () => {
      const key = "../../apps/a: ünï";
      assert.equal(await store().get(key), undefined);
      await store().put(key, bytes(100_000));
      assert.deepEqual(await store().get(key), bytes(100_000));
      await store().put(key, bytes(3));
      assert.deepEqual(await store().get(key), bytes(3));
      await store().remove(key);
      await store().remove(key);
      assert.equal(await store().get(key), undefined);
    });

    it("removes those whose time has come, those that ended first before the others, and no other", async () => {
      const [first, second, third] = ["ends first", "ends second", "ends third"] as const;
      await store().put(second, bytes(2), 20);
      await store().put(first, bytes(1), 10);
      await store().put(third, bytes(3), 30);
      await store().put("kept", bytes(4));
      const left = async () => {
        const found = await Promise.all([first, second, third, "kept"].map((key) => store().get(key)));
        return found.map((content) => content?.length);
      };
      assert.equal(await store().removeEnded(20, 1), 1);
      assert.deepEqual(await left(), [undefined, 2, 3, 4]);
      assert.deepEqual([await store().removeEnded(20, 9), await store().removeEnded(20, 9)], [1, 0]);
      assert.deepEqual(await left(), [undefined, undefined, 3, 4]);
      await store().remove(third);
      assert.equal(await store().removeEnded(Number.MAX_SAFE_INTEGER, 9), 0);
    });

    it("lets one that is put again end when it was said last, or not at all", async () => {
      await store().put("later", bytes(1), 10);
      await store().put("later", bytes(1), 50);
      await store().put("stays", bytes(1), 10);
      await store().put("stays", bytes(2));
      assert.equal(await store().removeEnded(49, 9), 0);
      assert.equal(await store().removeEnded(50, 9), 1);
      assert.deepEqual([await store().get("later"), await store().get("stays")], [undefined, bytes(2)]);
    });

    it("rejects a blob above the limit with RESOURCE_EXHAUSTED", async () => {
      const isTooLarge = (error: unknown) => error instanceof ConnectError && error.code === Code.ResourceExhausted;
      await assert.rejects(store().put("large", new Uint8Array(64 * 1024 * 1024 + 1)), isTooLarge);
      assert.equal(await store().get("large"), undefined);
    });
  });
}
