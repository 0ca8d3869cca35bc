import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { createLogger, systemClock } from "#base";
import { openStorage, StorageError } from "#storage";
import { createListReader } from "./list-reader.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-lists-"));
after(() => rmSync(root, { recursive: true, force: true }));

describe("a reader of lists", () => {
  it("reads in a thread, one list after the other, and what was committed before (DB-32)", async () => {
    const path = join(root, "one.db");
    const file = new DatabaseSync(path);
    file.exec("pragma journal_mode = wal; create table t (id integer, bytes blob)");
    const lists = createListReader(path);
    const all = () =>
      lists.all<{ id: number; bytes: Uint8Array }>({ sql: "select * from t where id > ?", parameters: [0] });
    const [none, alsoNone] = await Promise.all([all(), all()]);
    assert.deepEqual([none, alsoNone], [[], []]);
    file.exec("insert into t values (1, x'0102')");
    assert.deepEqual(await all(), [{ id: 1, bytes: new Uint8Array([1, 2]) }]);
    file.close();
    await lists.close();
    await assert.rejects(all(), /is closed/);
  });

  it("rejects with the error of its list, and reads on", async () => {
    const path = join(root, "two.db");
    const lists = createListReader(path);
    const one = { sql: "select 1 as one", parameters: [] };
    await assert.rejects(lists.all(one), (error) => error instanceof StorageError && error.reason === "READ_ONLY");
    new DatabaseSync(path).close();
    assert.deepEqual(await lists.all(one), [{ one: 1 }]);
    const wrong = lists.all({ sql: "select nothing", parameters: [] });
    await assert.rejects(wrong, (error) => error instanceof StorageError && error.reason === "DEFECT");
    assert.deepEqual(await lists.all(one), [{ one: 1 }]);
    await lists.close();
  });

  it("leaves the main thread to other work while a data folder lists conversations (DB-32)", async () => {
    const storage = await openStorage({
      dataDir: join(root, "data"),
      clock: systemClock,
      logger: createLogger("silent"),
    });
    let isListed = false;
    const listed = storage.conversations.list({ app: "apps/a", sources: [], limit: 5 }).then(() => {
      isListed = true;
    });
    // A list of the main thread would be over before the event loop turns.
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isListed, false);
    await listed;
    await storage.close();
  });
});
