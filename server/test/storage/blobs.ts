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

    it("rejects a blob above the limit with RESOURCE_EXHAUSTED", async () => {
      const isTooLarge = (error: unknown) => error instanceof ConnectError && error.code === Code.ResourceExhausted;
      await assert.rejects(store().put("large", new Uint8Array(64 * 1024 * 1024 + 1)), isTooLarge);
      assert.equal(await store().get("large"), undefined);
    });
  });
}
