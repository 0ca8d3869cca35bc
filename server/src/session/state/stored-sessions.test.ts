import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ConversationHead, ConversationStore, TurnRow } from "#storage";
import { PastCallIds } from "./past-call-ids.ts";
import { SharedList } from "./shared-list.ts";
import { StoredSessions } from "./stored-sessions.ts";

/** A store that keeps the head of every conversation, and counts how often the turns of each were read. */
function storeOf(turnBytes: Readonly<Record<string, number>>) {
  const heads = new Map(Object.keys(turnBytes).map((name) => [name, { name, turnCount: 1 } as ConversationHead]));
  const reads: string[] = [];
  const store: Pick<ConversationStore, "getHead" | "getTurns" | "appendTurn"> = {
    getHead: async (name) => heads.get(name),
    getTurns: async (name) => {
      reads.push(name);
      return [rowOf(turnBytes[name] ?? 0)];
    },
    appendTurn: async (head, turn) => {
      const stored = { ...head, turnCount: turn.index };
      heads.set(head.name, stored);
      return stored;
    },
  };
  return { store: store as ConversationStore, reads };
}

function rowOf(bytes: number): TurnRow {
  return {
    index: 1,
    body: new Uint8Array(),
    extra: JSON.stringify({ key: { name: "k".repeat(bytes), inputs: "" } }),
    text: "",
  };
}

async function load(sessions: StoredSessions, ...names: readonly string[]): Promise<void> {
  for (const name of names) await sessions.load(name);
}

describe("the sessions in memory (TURN-90)", () => {
  it("are those used last whose turns have room together", async () => {
    const { store, reads } = storeOf({ one: 400, two: 400, three: 400 });
    const sessions = new StoredSessions(store, 1_000);
    await load(sessions, "one", "two", "one", "three", "one", "two");
    assert.deepEqual(reads, ["one", "two", "three", "two"]);
  });

  it("are counted with every turn that is added", async () => {
    const { store, reads } = storeOf({ one: 400, two: 400 });
    const sessions = new StoredSessions(store, 1_000);
    await load(sessions, "two", "one");
    const session = await sessions.load("one");
    assert.ok(session);
    await sessions.append(session.head, { ...rowOf(200), index: 2 }, session, []);
    await load(sessions, "one", "two");
    assert.deepEqual(reads, ["two", "one", "two"]);
  });

  it("are read for each turn when one is larger than the room", async () => {
    const { store, reads } = storeOf({ large: 2_000, small: 100 });
    const sessions = new StoredSessions(store, 1_000);
    await load(sessions, "small", "large", "large", "small");
    assert.deepEqual(reads, ["small", "large", "large"]);
    const head = { name: "large", turnCount: 1 } as ConversationHead;
    const decoded = { turns: new SharedList<never>(), history: undefined, callIds: new PastCallIds(), size: 2_000 };
    await sessions.append(head, { ...rowOf(10), index: 2 }, decoded, []);
    await load(sessions, "large");
    assert.deepEqual(reads, ["small", "large", "large", "large"]);
  });
});
