import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TableSchema } from "#warehouse";
import { createSchemaDigest } from "./schema-digest.ts";

const table = (name: string, version = "1"): TableSchema => ({
  path: [name],
  columns: [{ name: "n", type: "INT64", mode: "NULLABLE" }],
  version,
});

describe("the digest of schemas (CA-54)", () => {
  it("is the same for equal tables and another for a changed version, column or order", async () => {
    const digestOf = createSchemaDigest();
    const first = await digestOf([table("a"), table("b")]);
    assert.equal(await digestOf([table("a"), table("b")]), first);
    const wider = {
      ...table("b"),
      columns: [...table("b").columns, { name: "m", type: "TEXT", mode: "NULLABLE" as const }],
    };
    const others = [[table("a"), table("b", "2")], [table("b"), table("a")], [table("a"), wider], [table("a")]];
    for (const other of others) assert.notEqual(await digestOf(other), first);
  });

  it("reads the schema of a table once", async () => {
    const digestOf = createSchemaDigest();
    let read = 0;
    const counted = Object.assign(table("a"), { toJSON: () => ({ read: ++read }) });
    assert.equal(await digestOf([counted]), await digestOf([counted]));
    assert.equal(read, 1);
  });

  it("lets other work go on between 2,000 tables", async () => {
    let turns = 0;
    let done = false;
    const count = () => {
      turns += 1;
      if (!done) setImmediate(count);
    };
    setImmediate(count);
    await createSchemaDigest()(Array.from({ length: 2_000 }, (_, at) => table(`t${at}`)));
    done = true;
    assert.ok(turns >= 20, `${turns} turns of the event loop`);
  });
});
