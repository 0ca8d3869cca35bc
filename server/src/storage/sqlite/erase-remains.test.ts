import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, it } from "node:test";
import { openReadConnection, openWriteConnection } from "./connections.ts";
import { createRemainsEraser } from "./erase-remains.ts";
import { migrate } from "./migrations.ts";

const MINUTE = 60_000;
const DAY = 24 * 3_600_000;

describe("what deletion leaves in a data folder (DB-39)", () => {
  let folder: string;
  let path: string;
  let database: DatabaseSync;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "frontdesk-remains-"));
    path = join(folder, "frontdesk.db");
    database = openWriteConnection(path);
    migrate(database, path, { now: () => 0 });
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  /** Turns, each with a word of its own, of which one has so many that it needs pages of its own. */
  function say(first: number, last: number): void {
    for (let id = first; id <= last; id++) {
      const text = `${wordOf(id)} said`.repeat(id === 7 ? 3_000 : 1);
      database
        .prepare("insert into turns (id, conversation, turn_index, body, extra, text) values (?, 1, ?, ?, '', ?)")
        .run(id, id, Buffer.from(text), text);
      database.prepare("insert into turn_words (rowid, conversation, text) values (?, 1, ?)").run(id, text);
      database.exec(`update turn_words_progress set last_turn = ${id}`);
    }
  }
  const wordOf = (id: number) => `${String.fromCharCode(97 + (id % 26))}quixmore${id}z`;
  const files = () => [path, `${path}-wal`].filter((file) => existsSync(file)).map((file) => readFileSync(file));
  const isFound = (text: string) => files().some((bytes) => bytes.includes(text));
  /** Erases until there is nothing more to do now. */
  function eraseAll(erase: (now: number) => number | undefined, now: number): number | undefined {
    for (;;) {
      const pause = erase(now);
      if (pause !== 0) return pause;
    }
  }

  it("is nothing, neither of texts nor of their words", () => {
    say(1, 40);
    const erase = createRemainsEraser(database);
    eraseAll(erase, 0);
    assert.equal(isFound(wordOf(7)), true);
    database.exec("delete from turns where id between 5 and 20");
    assert.equal(eraseAll(erase, MINUTE), undefined);
    for (let id = 5; id <= 20; id++) assert.equal(isFound(`quixmore${id}z`), false, `turn ${id}`);
    for (const word of [wordOf(4), wordOf(21)]) assert.equal(matches(word), 1, word);
  });

  it("goes from the log within a minute, and from the index within a day", () => {
    say(1, 40);
    const erase = createRemainsEraser(database);
    database.exec("delete from turns where id = 5");
    assert.equal(eraseAll(erase, 0), undefined);
    database.exec("delete from turns where id = 6");
    assert.equal(eraseAll(erase, 1_000), MINUTE - 1_000);
    assert.equal(isFound(`${wordOf(6)} said`), true);
    assert.equal(eraseAll(erase, MINUTE), DAY - MINUTE);
    assert.equal(isFound(`${wordOf(6)} said`), false);
    assert.equal(forgotten(), 1);
    eraseAll(erase, DAY);
    assert.equal(forgotten(), 0);
    assert.equal(matches(wordOf(7)), 1);
  });

  it("waits in the log while somebody reads an older state", () => {
    say(1, 10);
    const erase = createRemainsEraser(database);
    const backup = openReadConnection(path);
    backup.all({ sql: "begin", parameters: [] });
    backup.all({ sql: "select count(*) from turns", parameters: [] });
    database.exec("delete from turns where id = 5");
    assert.equal(eraseAll(erase, 0), MINUTE);
    backup.close();
    assert.equal(eraseAll(erase, MINUTE), undefined);
    assert.equal(isFound(`${wordOf(5)} said`), false);
  });

  it("is erased a minute after an error, not a day", () => {
    say(1, 40);
    const erase = createRemainsEraser(database);
    eraseAll(erase, 0);
    database.exec("delete from turns where id = 5");
    database.exec("pragma query_only = on");
    assert.throws(() => erase(MINUTE), /readonly/);
    database.exec("pragma query_only = off");
    assert.equal(erase(MINUTE + 1_000), MINUTE - 1_000, "an error is not met again with each write");
    eraseAll(erase, 2 * MINUTE);
    assert.deepEqual([forgotten(), isFound(`quixmore5z`)], [0, false]);
  });

  it("is erased after a restart that came before it was", () => {
    say(1, 40);
    eraseAll(createRemainsEraser(database), 0);
    database.exec("delete from turns where id = 5");
    createRemainsEraser(database)(MINUTE); // begins to merge
    eraseAll(createRemainsEraser(database), 0);
    assert.deepEqual([forgotten(), isFound(`quixmore5z`)], [0, false]);
  });

  const matches = (word: string) =>
    Number(database.prepare("select count(*) as n from turn_words where turn_words match ?").get(word)?.n);
  const forgotten = () => Number(database.prepare("select forgotten from turn_words_progress").get()?.forgotten);
});
