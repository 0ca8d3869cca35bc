import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createLogger, definedFields, systemClock } from "#base";
import { type ConversationCondition, openStorage, type Storage } from "#storage";
import { startPostgres, withoutPostgres } from "#testing";
import { type CopyStore, copyConversation, openPostgresCopies, openSqliteCopies } from "../../bench/stored-copies.ts";
import { head, LOCATION, turn } from "./rows.ts";

const APP = `${LOCATION}/apps/busy`;
const COPIES = 20_500;
const logger = createLogger("silent");

const has = (words: string): ConversationCondition => ({ kind: "search", words });
const hasNot = (words: string): ConversationCondition => ({ kind: "not", operand: has(words) });

/** Stores over a database of their own, and how copies are made in it. */
interface Place {
  readonly storage: Storage;
  openCopies(): Promise<CopyStore>;
}

async function openPostgresPlace(resources: AsyncDisposableStack): Promise<Place> {
  const postgres = await startPostgres();
  resources.defer(() => postgres.stop());
  const storage = await openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger });
  resources.defer(() => storage.close());
  return { storage, openCopies: () => openPostgresCopies(postgres.url) };
}

async function openFolder(resources: AsyncDisposableStack): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-frequent-"));
  resources.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const storage = await openStorage({ dataDir, clock: systemClock, logger });
  resources.defer(() => storage.close());
  return { storage, openCopies: async () => openSqliteCopies(join(dataDir, "frontdesk.db")) };
}

describe("a list of more conversations than are tested at a time (DB-42)", () => {
  it("comes in parts from PostgreSQL", { skip: withoutPostgres() }, () => assertParts(openPostgresPlace));
  it("comes in parts from a data folder", () => assertParts(openFolder));
});

/** Asserts that a list comes in parts where a word of its condition is frequent, and ends with the last. */
async function assertParts(open: (resources: AsyncDisposableStack) => Promise<Place>): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const { storage, openCopies } = await open(resources);
  const { conversations } = storage;
  const original = { ...head("apps/busy", "original", 1), startTime: 1e12, endTime: 1e12 };
  await conversations.appendTurn(original, turn(1, "my order is late"));
  {
    await using copies = await openCopies();
    await copyConversation(copies, original.name, COPIES);
  }
  await conversations.appendTurn({ ...head("apps/busy", "oldest", 1), startTime: 1, endTime: 1 }, turn(1, "hello"));

  /** The ids of all pages, and how many rows were read of each page that ended before it was full. */
  async function listed(where: ConversationCondition) {
    const ids: string[] = [];
    const parts: number[] = [];
    let after: readonly [string | number, string] | undefined;
    for (;;) {
      const query = { app: APP, sources: [], where, limit: 1_000, ...definedFields({ after }) };
      const { rows, last, part } = await conversations.list(query);
      ids.push(...rows.map(({ head: { name } }) => name.slice(APP.length + "/conversations/".length)));
      if (part) parts.push(part.scanned);
      after = part?.last ?? last;
      if (after === undefined) return { ids, parts };
    }
  }

  assert.deepEqual(await listed(hasNot("order")), { ids: ["oldest"], parts: [10_000, 10_000] });
  assert.deepEqual(await listed({ kind: "and", operands: [has("late"), hasNot("order")] }), {
    ...{ ids: [], parts: [10_000, 10_000] },
  });
  const all = await listed(has("ord"));
  assert.equal(new Set(all.ids).size, COPIES + 1);
  assert.equal(all.ids.length, COPIES + 1);
  const some = await listed(has("copy20"));
  assert.equal(some.ids.length, 613, "copy20, copy200 to 209, copy2000 to 2099, and copy20000 to 20501");
  assert.deepEqual(some.parts, []);
}
