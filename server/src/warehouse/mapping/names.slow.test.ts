import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, TablePath, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import type { SourceMapping } from "./warehouse-config.ts";

const LIMITS = { maxRows: 10, maxBytes: 10_000, timeoutMs: 30_000 };
const { signal } = new AbortController();

/** Each is a file whose one row is its number, so that rows of another file are noticed. */
const NAMES = [
  ...["plain", "a.b.c", "dash-ed", "with space", "select", "100", "a$b", "a,b", "per%cent", "-- comment", "semi;colon"],
  ...['quo"te', "sin'gle", "ti`ck", "back\\slash", "{curly}", "br[1]", "br1", "st*r", "star", "qu?st", "quest", "[*]"],
  ...["Case", "case", "CASE", "Üm läut", "üm läut", "日本語", "😀", "Straße", "strasse"],
  ...randomNames(40, 20_261_122),
].filter((name, at, all) => all.indexOf(name) === at && !isUnreadable(name));

/** Such a name is a glob pattern to DuckDB, in which it reads a backslash as a slash. */
function isUnreadable(name: string): boolean {
  return name.includes("\\") && /[*?[]/.test(name);
}

/** Names of characters that mean something to a shell, a pattern, SQL or Unicode; the same for the same seed. */
function randomNames(count: number, seed: number): readonly string[] {
  const signs = [..."aAbB01 .-_,;:'\"`*?[]{}()!%$#@&+=~^\\|<>éÉßıİ名😀"];
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + next(8) }, () => signs[next(signs.length)]).join(""),
  );
}

describe("names of files and of what they are mapped to", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-names-"));
  const opened: Warehouse[] = [];
  const spillDir = join(folder, "spill");
  before(() => {
    mkdirSync(join(folder, "files"));
    for (const [number, name] of NAMES.entries())
      writeFileSync(join(folder, "files", `${name}.csv`), `id\n${number}\n`);
  });
  after(async () => {
    await Promise.all(opened.map((warehouse) => warehouse.close()));
    rmSync(folder, { recursive: true });
  });

  function warehouseOf(...sources: readonly SourceMapping[]): Warehouse {
    const warehouse = createWarehouse({ sources, memory: "256MB", spillDir });
    opened.push(warehouse);
    return warehouse;
  }

  async function open(warehouse: Warehouse, ...paths: readonly TablePath[]): Promise<SqlSource> {
    const tableReferences = paths.map(([projectId, datasetId, tableId]) => ({ projectId, datasetId, tableId }));
    const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
    const source = await warehouse.open(references);
    assert.ok(source.kind === "sql");
    return source;
  }

  const idOf = async (source: SqlSource, from: string) =>
    (await source.query({ sql: `SELECT t.id FROM ${from} AS t`, limits: LIMITS, signal })).rows.join("|");

  const sales = warehouseOf({ name: ["acme", "sales"], path: join(folder, "files") });

  it(`resolve to their own files, by whole and by short name (${NAMES.length} names)`, async () => {
    for (const [number, name] of NAMES.entries()) {
      const path = ["acme", "sales", name];
      const source = await open(sales, path);
      assert.equal(await idOf(source, source.quoteTable(path)), String(number), name);
      assert.equal(await idOf(source, source.quoteName(name)), String(number), name);
      assert.deepEqual((await source.describe(signal))[0]?.path, path);
      assert.deepEqual(await source.distinctValues(path, "id", 5, signal), [String(number)], name);
    }
  });

  it("that differ in case alone are distinguished, also in one query", async () => {
    const both = ["Case", "case"].map((table) => ["acme", "sales", table]);
    const source = await open(sales, ...both);
    for (const path of both) {
      assert.equal(await idOf(source, source.quoteTable(path)), String(NAMES.indexOf(path[2] ?? "")));
    }
    const unclear = await source.check('SELECT * FROM "cASE"', [], signal);
    assert.match(unclear.kind === "invalid" ? unclear.error : "", /'cASE' is ambiguous/);
  });

  const PROJECTS = ["a-b", "a.b", "a:b", "system", "temp", "memory", "main", "MAIN", "attached~0", 'q"p', "é", "*x"];
  const DATASETS = ["a-b", "a.b", "system", "temp", "main", "pg_catalog", "PG_Catalog", 'q"p', "é", "select"];
  const PLACES = [...PROJECTS.map((one) => [one, "d"] as const), ...DATASETS.map((one) => ["p", one] as const)];
  const places = warehouseOf(...PLACES.map((name) => ({ name, path: join(folder, "files") })));
  for (const name of PLACES) {
    it(`may be reserved by DuckDB or have any character: ${name.join(".")}`, async () => {
      const path = [...name, "plain"];
      const source = await open(places, path);
      assert.equal(await idOf(source, source.quoteTable(path)), "0");
      assert.equal(await idOf(source, "plain"), "0");
    });
  }

  it("of columns are those of the file, or numbered where DuckDB cannot distinguish them", async () => {
    const columns = ["a.b", "a b", 'q"q', "select", "Größe", "名", "x", "X", "-", "1st"];
    mkdirSync(join(folder, "columns"));
    const header = columns.map((one) => `"${one.replaceAll('"', '""')}"`).join(",");
    writeFileSync(join(folder, "columns", "t.csv"), `${header}\n${columns.map((_, at) => at).join(",")}\n`);
    const source = await open(warehouseOf({ name: ["p", "d"], path: join(folder, "columns") }), ["p", "d", "t"]);
    const [table] = await source.describe(signal);
    const names = table?.columns.map(({ name }) => name) ?? [];
    assert.deepEqual(names, columns.with(7, "X_1"));
    const sql = `SELECT ${names.map((name) => source.quoteName(name)).join(", ")} FROM t`;
    const { rows } = await source.query({ sql, limits: LIMITS, signal });
    assert.deepEqual(rows, [columns.map((_, at) => String(at))]);
  });

  it("that DuckDB cannot read are rejected", async () => {
    mkdirSync(join(folder, "odd"));
    writeFileSync(join(folder, "odd", "a\\b*.csv"), "id\n1\n");
    const warehouse = warehouseOf({ name: ["p", "d"], path: join(folder, "odd") });
    await assert.rejects(open(warehouse, ["p", "d", "a\\b*"]), /has a backslash and one of \* \? \[/);
  });

  it("may be in either normalization form of Unicode", async () => {
    mkdirSync(join(folder, "unicode"));
    writeFileSync(join(folder, "unicode", "cafe\u0301.csv"), "id\n7\n");
    const warehouse = warehouseOf({ name: ["p", "d"], path: join(folder, "unicode") });
    const path = ["p", "d", "caf\u00e9"];
    const source = await open(warehouse, path);
    assert.equal(await idOf(source, source.quoteTable(path)), "7");
  });

  it("that two files have are rejected, naming both, until one is mapped", async () => {
    const twins = join(folder, "twins");
    mkdirSync(twins);
    writeFileSync(join(twins, "orders.csv"), "id\n1\n");
    writeFileSync(join(twins, "orders.jsonl"), '{"id": 2}\n');
    const path = ["p", "d", "orders"];
    await assert.rejects(open(warehouseOf({ name: ["p", "d"], path: twins }), path), /orders\.csv and orders\.jsonl/);
    const named = { name: ["p", "d", "orders"] as const, path: join(twins, "orders.jsonl") };
    const source = await open(warehouseOf(named, { name: ["p", "d"], path: twins }), path);
    assert.equal(await idOf(source, "orders"), "2");
  });

  it("are looked up in a folder of five thousand files, links among them, and folders left out", async () => {
    const many = join(folder, "many");
    mkdirSync(join(many, "inner.csv"), { recursive: true });
    for (let number = 0; number < 5000; number++) writeFileSync(join(many, `t${number}.csv`), `id\n${number}\n`);
    symlinkSync(join(many, "t7.csv"), join(many, "link.csv"));
    symlinkSync(join(many, "nowhere"), join(many, "broken.csv"));
    const warehouse = warehouseOf({ name: ["p", "d"], path: many });
    for (const [table, id] of Object.entries({ t0: "0", t4999: "4999", link: "7" })) {
      assert.equal(await idOf(await open(warehouse, ["p", "d", table]), table), id);
    }
    for (const table of ["inner", "broken", "t5000"]) {
      await assert.rejects(open(warehouse, ["p", "d", table]), /No data is mapped/);
    }
  });
});
