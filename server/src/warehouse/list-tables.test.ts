import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createWarehouse } from "./create-warehouse.ts";

describe("the list of mapped tables (CA-55)", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-listed-"));
  mkdirSync(join(folder, "sales"));
  writeFileSync(join(folder, "sales", "orders.csv"), "a,b\n1,2\n");
  for (const name of ["broken.sqlite", "broken.xlsx"]) writeFileSync(join(folder, name), "neither");
  after(() => rmSync(folder, { recursive: true }));

  /** Lists the tables of a folder, of one more file, and of a database that does not answer. */
  async function list(file: string) {
    const gone = "postgresql://x:hush-hush@127.0.0.1:1/db";
    const warehouse = createWarehouse({
      sources: [
        { name: ["acme", "sales"], path: join(folder, "sales") },
        { name: ["acme", "more"], path: join(folder, file) },
      ],
      postgres: [{ name: ["acme", "gone"], connectionString: () => gone }],
      ...{ memory: "256MB", spillDir: join(folder, "spill") },
    });
    const listed = await warehouse.tables("p").finally(() => warehouse.close());
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(`hush-hush|${folder}`));
    return { tables: listed.tables, sources: listed.unreachable.map(({ source }) => source), listed };
  }

  for (const file of ["broken.sqlite", "broken.xlsx"])
    it(`tells of ${file}, whose tables cannot be listed, and lists the others`, async () => {
      const { tables, sources, listed } = await list(file);
      assert.deepEqual(tables, [["acme", "sales", "orders"]]);
      assert.deepEqual(sources, ["acme.more", "acme.gone"], JSON.stringify(listed));
    });

  it("tells that no file can be read where a DuckDB database cannot be opened, and lists the other databases", async () => {
    const { tables, sources } = await list("gone.duckdb");
    assert.deepEqual([tables, sources], [[], ["acme.sales", "acme.more", "acme.gone"]]);
  });
});
