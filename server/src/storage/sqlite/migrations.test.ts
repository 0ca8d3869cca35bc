import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { migrate } from "./migrations.ts";

const clock = { now: () => 5 };
const FIRST = "create table items (name text)";
const SECOND = "alter table items add column size integer; insert into items values ('new', 1)";

describe("migrating a database", () => {
  it("applies missing migrations once, and records the time", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database, "x", clock, [FIRST]);
    database.exec("insert into items values ('old')");
    migrate(database, "x", clock, [FIRST, SECOND]);
    migrate(database, "x", clock, [FIRST, SECOND]);
    assert.deepEqual(all(database, "select name, size from items"), [
      ["old", null],
      ["new", 1],
    ]);
    assert.deepEqual(all(database, "select version, applied_time from schema_version"), [
      [1, 5],
      [2, 5],
    ]);
  });

  it("leaves the database as it was when a migration fails", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database, "x", clock, [FIRST]);
    assert.throws(
      () => migrate(database, "x", clock, [FIRST, SECOND, "create table items (again text)"]),
      /already exists/,
    );
    assert.deepEqual(all(database, "select version from schema_version"), [[1]]);
    assert.deepEqual(all(database, "select name from pragma_table_info('items')"), [["name"]]);
  });
});

function all(database: DatabaseSync, sql: string): unknown[][] {
  return database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row));
}
