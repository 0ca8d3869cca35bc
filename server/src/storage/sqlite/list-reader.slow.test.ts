import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "#status";
import { createListReader } from "./list-reader.ts";

const root = mkdtempSync(join(tmpdir(), "frontdesk-long-lists-"));
after(() => rmSync(root, { recursive: true, force: true }));

/** Has no end but that which its time makes. */
const ENDLESS = {
  sql: "with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where (i % 1024 <> 0 or in_time()) and i < 0",
  parameters: [],
};
const ONE = { sql: "select 1 as one", parameters: [] };

describe("a reader of lists", () => {
  it("ends lists that nobody waits for, those that wait included, and reads others in their place (DB-46)", async () => {
    const path = join(root, "cancelled.db");
    new DatabaseSync(path).close();
    const lists = createListReader(path);
    const stop = new AbortController();
    const ended = Promise.allSettled([1, 2, 3].map(() => lists.all(ENDLESS, stop.signal)));
    // Later than the threads have begun.
    await delay(1_000);
    stop.abort(new Error("nobody waits"));
    // Were they read on, there would be no place for it within the four seconds that it waits.
    assert.deepEqual(await lists.all(ONE), [{ one: 1 }]);
    assert.deepEqual(
      (await ended).map((each) => each.status === "rejected" && each.reason.message),
      ["nobody waits", "nobody waits", "nobody waits"],
    );
    await lists.close();
  });

  it("ends a list that takes too long, reads others beside it, and refuses those that wait too long (DB-29, DB-32)", async () => {
    const path = join(root, "data.db");
    new DatabaseSync(path).close();
    const lists = createListReader(path);
    const codeOf = (error: unknown) => (error instanceof ConnectError ? Code[error.code] : String(error));
    const long = lists.all(ENDLESS).catch(codeOf);
    assert.deepEqual(await lists.all(ONE), [{ one: 1 }]);
    const alsoLong = lists.all(ENDLESS).catch(codeOf);
    const waiting = lists.all(ONE).catch(codeOf);
    assert.deepEqual(await Promise.all([long, alsoLong, waiting]), [
      "DeadlineExceeded",
      "DeadlineExceeded",
      "Unavailable",
    ]);
    assert.deepEqual(await lists.all(ONE), [{ one: 1 }]);
    await lists.close();
  });
});
