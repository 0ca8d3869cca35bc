import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import type { Storage } from "../contract.ts";
import { bytes } from "./rows.ts";

/** Bytes by key. */
export function blobContract(use: () => Storage): void {
  describe("blobs", () => {
    const store = () => use().blobs;

    it("gives back bytes by any key, replaces and removes them", async () => {
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

    it("refuses a blob beyond the limit with RESOURCE_EXHAUSTED", async () => {
      const refusal = (error: unknown) => error instanceof ConnectError && error.code === Code.ResourceExhausted;
      await assert.rejects(store().put("large", new Uint8Array(64 * 1024 * 1024 + 1)), refusal);
      assert.equal(await store().get("large"), undefined);
    });
  });
}
