import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { createBatchCommitter, type PackedWrite } from "./commit-batch.ts";

describe("a batch of writes", () => {
  it("undoes a write whose condition fails, the steps before it included, and keeps the others", () => {
    const { commitBatch, names } = newDatabase();
    const outcomes = commitBatch([
      [insert("a")],
      [insert("b"), ["update items set size = 1 where name = ?", ["none"], 1]],
      [insert("c"), insert("d")],
    ]);
    assert.deepEqual(outcomes, [1, -2, 2]);
    assert.deepEqual(names(), ["a", "c", "d"]);
  });

  it("fails only the write that SQLite rejects", () => {
    const { commitBatch, names } = newDatabase();
    const outcomes = commitBatch([[insert("a")], [insert("x"), insert("a")], [["no sql", [], -1]], [insert("b")]]);
    assert.deepEqual(outcomes, [
      1,
      { message: "UNIQUE constraint failed: items.name", errcode: 1555, code: "ERR_SQLITE_ERROR" },
      { message: 'near "no": syntax error', errcode: 1, code: "ERR_SQLITE_ERROR" },
      1,
    ]);
    assert.deepEqual(names(), ["a", "b"]);
  });

  it("fails as a whole when the disk is full, and works again when it is not", () => {
    const { database, commitBatch, names } = newDatabase();
    commitBatch([[insert("a")]]);
    const pages = Number(database.prepare("pragma page_count").get()?.page_count);
    database.exec(`pragma max_page_count = ${pages}`);
    const large: PackedWrite = [["insert into items (name, size) values ('large', zeroblob(1000000))", [], 1]];
    const full = { message: "database or disk is full", errcode: 13, code: "ERR_SQLITE_ERROR" };
    assert.deepEqual(commitBatch([[insert("b")], large]), [full, full]);
    assert.deepEqual(names(), ["a"]);
    database.exec("pragma max_page_count = 100000");
    assert.deepEqual(commitBatch([[insert("b")], large]), [1, 1]);
    assert.deepEqual(names(), ["a", "b", "large"]);
  });
});

function insert(name: string): PackedWrite[number] {
  return ["insert into items (name, size) values (?, 0)", [name], 1];
}

function newDatabase() {
  const database = new DatabaseSync(":memory:");
  database.exec("create table items (name text primary key, size)");
  const names = () =>
    database
      .prepare("select name from items order by name")
      .all()
      .map(({ name }) => name);
  return { database, commitBatch: createBatchCommitter(database), names };
}
