import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConversationHead, ConversationStore, SessionLease } from "../contract.ts";
import { createHeadCache } from "../create-head-cache.ts";
import { cacheLeasedHeads } from "./cache-leased-heads.ts";

describe("the head of a session that this server ran last", () => {
  it("is read again when its state has no room, and is there all the same (TURN-93)", async () => {
    const head = { name: "large", state: "s".repeat(2_000) } as ConversationHead;
    let reads = 0;
    const store = {
      getHead: async () => {
        reads += 1;
        return head;
      },
    } as unknown as ConversationStore;
    const { getHead } = cacheLeasedHeads(store, createHeadCache(1_000));
    const lease: SessionLease = { token: "t", unchanged: false, head, release: () => {} };
    assert.equal(await getHead("large", lease), head);
    assert.equal(await getHead("large", { ...lease, unchanged: true, head: undefined }), head);
    assert.equal(reads, 1);
  });
});
