import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import type { ConversationHead, ConversationStore, ResourceStore, Storage } from "../contract.ts";
import { createHeadCache } from "../create-head-cache.ts";
import { cacheHeads } from "./cache-heads.ts";
import { openSqlite } from "./open-sqlite.ts";

const APP = "projects/p/locations/l/apps/a";
let folder: string;
let storage: Storage;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-heads-"));
  storage = await openSqlite({ dataDir: folder, clock: systemClock, logger: createLogger("silent") });
});
after(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

const nameOf = (id: string) => `${APP}/conversations/${id}`;
const get = (id: string) => storage.conversations.getHead(nameOf(id));

function append(id: string, index: number, state = ""): Promise<ConversationHead> {
  const head = {
    name: nameOf(id),
    app: APP,
    startTime: index,
    endTime: index,
    turnCount: index,
    source: 1,
    inputTypes: [],
    entryAgent: "",
    deployment: "",
    appVersion: "",
    languageCode: "",
    state,
  };
  return storage.conversations.appendTurn(head, { index, body: new Uint8Array(1), extra: "", text: "" });
}

describe("the head of a conversation", () => {
  it("is the same object as long as nothing changes the conversation", async () => {
    const first = await append("same", 1);
    assert.equal(await get("same"), first);
    const second = await append("same", 2);
    assert.notEqual(second, first);
    assert.equal(await get("same"), second);
    assert.deepEqual([second.turnCount, second.startTime], [2, 1]);
  });

  it("is another one after its state was replaced, and none after the conversation was removed", async () => {
    const head = await append("changed", 1, "before");
    await storage.conversations.settle(nameOf("changed"), 1, "after");
    const settled = await get("changed");
    assert.notEqual(settled, head);
    assert.equal(settled?.state, "after");
    await storage.conversations.remove([nameOf("changed")]);
    assert.equal(await get("changed"), undefined);
  });

  it("is not kept by a read or an append that a change overtakes", async () => {
    await append("overtaken", 1, "before");
    const [appended] = await Promise.allSettled([
      append("overtaken", 2, "appended"),
      storage.conversations.settle(nameOf("overtaken"), 2, "after"),
    ]);
    assert.equal(appended.status, "fulfilled");
    assert.equal((await get("overtaken"))?.state, "after");
    const [, read] = await Promise.all([storage.conversations.remove([nameOf("overtaken")]), get("overtaken")]);
    assert.equal(read?.state, "after");
    assert.equal(await get("overtaken"), undefined);
  });

  it("stays what is stored when an append is rejected", async () => {
    const head = await append("rejected", 1);
    await assert.rejects(append("rejected", 3), /the turn before it is not stored/);
    const again = await get("rejected");
    assert.deepEqual(again, head);
  });

  it("is kept as long as the states of those used since have room beside it (TURN-93)", async () => {
    const reads: string[] = [];
    const conversations = {
      getHead: async (name: string) => {
        reads.push(name);
        return { name, state: "s".repeat(name === "large" ? 2_000 : 400) } as ConversationHead;
      },
    } as unknown as ConversationStore;
    const cached = cacheHeads({ conversations, resources: {} as ResourceStore }, createHeadCache(1_000)).conversations;
    for (const name of ["one", "two", "one", "three", "one", "two", "large", "large", "two"])
      assert.equal((await cached.getHead(name))?.name, name);
    assert.deepEqual(reads, ["one", "two", "three", "two", "large", "large"]);
  });

  it("is not the one that was read while a turn was being stored", async () => {
    const headOf = (turnCount: number) => ({ name: "c", turnCount, state: "s" }) as ConversationHead;
    let stored = headOf(1);
    const committed = Promise.withResolvers<void>();
    const conversations = {
      getHead: async () => stored,
      appendTurn: async (head: ConversationHead) => {
        await committed.promise;
        stored = head;
        return head;
      },
    } as unknown as ConversationStore;
    const cached = cacheHeads({ conversations, resources: {} as ResourceStore }).conversations;
    const appending = cached.appendTurn(headOf(2), { index: 2, body: new Uint8Array(1), extra: "", text: "" });
    assert.equal((await cached.getHead("c"))?.turnCount, 1);
    committed.resolve();
    await appending;
    assert.equal((await cached.getHead("c"))?.turnCount, 2);
  });
});
