import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConversationHead, ConversationStore, ResourceStore, TurnRow } from "../contract.ts";
import { cacheHeads } from "./cache-heads.ts";

const headOf = (turnCount: number) =>
  ({ name: "c", app: "a", startTime: 1, turnCount, state: new Uint8Array(1) }) as unknown as ConversationHead;

describe("a head that is read while a turn is being stored", () => {
  it("is not the one of the turns after it", async () => {
    let stored = headOf(1);
    const committed = Promise.withResolvers<void>();
    const store = {
      getHead: async () => stored,
      appendTurn: async (head: ConversationHead) => {
        await committed.promise;
        stored = head;
        return head;
      },
    };
    const { conversations } = cacheHeads({
      conversations: store as unknown as ConversationStore,
      resources: {} as ResourceStore,
    });
    const appending = conversations.appendTurn(headOf(2), { index: 2 } as TurnRow, []);
    assert.equal((await conversations.getHead("c"))?.turnCount, 1);
    committed.resolve();
    await appending;
    assert.equal((await conversations.getHead("c"))?.turnCount, 2);
  });
});
