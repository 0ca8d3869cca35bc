import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { zipSync } from "fflate";
import type { SqlSource, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";

const LIMITS = { maxRows: 100, maxBytes: 100_000, timeoutMs: 5_000 };
const { signal } = new AbortController();

const SHOP = `
  CREATE TABLE sales (id INTEGER PRIMARY KEY, amount DECIMAL(10, 2), big BIGINT, day DATE, at DATETIME, paid BOOLEAN, note TEXT, raw BLOB, late DATE, mixed);
  INSERT INTO sales VALUES (1, 10, 9223372036854775807, '2026-01-31', '2026-01-31 10:00:00', 1, 'naïve ☕', x'0102', 'soon', 1),
    (2, 2.5, -9007199254740993, '2024-02-29', '2026-02-01T11:30:00.25', 0, NULL, NULL, '2026-01-01', 'one');
  CREATE TABLE "odd ""name""" ("a b" TEXT, sum INT GENERATED ALWAYS AS (1) VIRTUAL) ;
  CREATE VIEW endless AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT * FROM t;`;

/** Keys of several columns, a reference without columns, and names in another case. */
const KEYED = `
  CREATE TABLE Buyers (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE deals (no INTEGER, area TEXT, buyer INTEGER REFERENCES BUYERS, PRIMARY KEY (area, no));
  CREATE TABLE deal_lines (deal INTEGER, region TEXT, amount REAL, FOREIGN KEY (region, DEAL) REFERENCES deals (area, no));`;

/** The parts of a workbook; `sheet` is the XML of the first sheet's rows. */
function workbook(sheet: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const relation = (id: string, target: string) =>
    `<Relationship Id="${id}" Type="http://x/relationships/worksheet" Target="${target}"/>`;
  const files: Record<string, string> = {
    "xl/workbook.xml": `<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaa">]><workbook xmlns:r="r"><sheets><sheet name="Orders" sheetId="1" r:id="r1"/>
      <sheet name="R &amp; D" sheetId="2" r:id="r2"/><sheet name="Secret" sheetId="3" state="hidden" r:id="r2"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation("r1", "worksheets/sheet1.xml")}${relation("r2", "/xl/worksheets/sheet2.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="&quot;day&quot; yyyy\\-mm"/><numFmt numFmtId="171" formatCode="[h]:mm"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<x:sst xmlns:x="x"><x:si><x:t>day</x:t></x:si><x:si><x:r><x:t>Jo</x:t></x:r><x:r><x:t>'s &lt;shop&gt;</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:si></x:sst>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    "xl/worksheets/sheet2.xml": `<worksheet><sheetData><row><c t="inlineStr"><is><t>n</t></is></c></row><row><c><v>7</v></c></row></sheetData></worksheet>`,
    ...parts,
  };
  const bytes = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));
  return zipSync(bytes, { mtime: new Date("2026-01-01") });
}

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`;
const HEADER = `<row r="1"><c r="A1" t="s"><v>0</v></c>${text("B1", "who")}${text("C1", "Who")}<c r="E1" t="str"><f>1</f><v>total</v></c></row>`;
const ROWS = `${HEADER}<row r="3"><c r="A3" s="1"><v>46053</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" s="2"><v>46053.5</v></c><c r="E3"><v>1.5</v></c></row>
  <row r="4"><c r="A4" s="3"><v>46054</v></c><c r="B4" t="e"><v>#N/A</v></c><c r="C4" t="b"><v>0</v></c><c r="E4" s="4"><v>2</v></c><c r="F4"><v>9007199254740991</v></c></row>`;

describe("SQLite databases and Excel workbooks as tables", () => {
  const folder = mkdtempSync(join(tmpdir(), "imported-"));
  const at = (name: string) => join(folder, name);
  let warehouse: Warehouse;
  before(() => {
    const database = new DatabaseSync(at("shop.db"));
    database.exec(SHOP);
    database.close();
    const keyed = new DatabaseSync(at("keyed.sqlite"));
    keyed.exec(KEYED);
    keyed.close();
    writeFileSync(at("book.xlsx"), workbook(ROWS));
    const titles = `<row r="1">${text("A1", "Orders of January")}</row><row r="2"/><row r="3">${text("A3", "by day")}</row>`;
    writeFileSync(
      at("titled.xlsx"),
      workbook(
        `${titles}${ROWS.replaceAll(/r="([A-F]?)([1-4])"/g, (_, column, row) => `r="${column}${Number(row) + 4}"`)}`,
      ),
    );
    const names = [
      "bomb.xlsx",
      "wide.xlsx",
      "deep.xlsx",
      "text.xlsx",
      "word.xlsx",
      "empty.xlsx",
      "torn.sqlite",
      "text.sqlite",
    ];
    const direct = names.map((name) => ({ name: ["bad", name] as const, path: at(name) }));
    warehouse = createWarehouse({
      sources: [
        { name: ["acme", "shop"], path: at("shop.db") },
        { name: ["acme", "keys"], path: at("keyed.sqlite") },
        { name: ["acme", "book"], path: at("book.xlsx") },
        { name: ["acme", "titled"], path: at("titled.xlsx") },
        { name: ["acme", "all"], path: folder },
        ...direct,
      ],
      memory: "256MB",
      spillDir: at("spill"),
    });
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  async function open(datasetId: string, tableId: string, projectId = "acme"): Promise<SqlSource> {
    const references = { case: "bq" as const, value: { tableReferences: [{ projectId, datasetId, tableId }] } };
    const source = await warehouse.open(create(DatasourceReferencesSchema, { references }));
    assert.ok(source.kind === "sql");
    return source;
  }
  const rowsOf = async (source: SqlSource, sql: string) => (await source.query({ sql, limits: LIMITS, signal })).rows;
  const typesOf = async (source: SqlSource) =>
    (await source.describe(signal))[0]?.columns.map(({ name, type }) => `${name} ${type}`);

  it("reads SQLite's tables with the types of their values, to the last digit", async () => {
    const source = await open("shop", "sales");
    assert.deepEqual(await typesOf(source), [
      "id INT64",
      "amount FLOAT64",
      "big INT64",
      "day DATE",
      "at DATETIME",
      "paid BOOL",
      "note STRING",
      "raw BYTES",
      "late STRING",
      "mixed STRING",
    ]);
    assert.deepEqual(await rowsOf(source, "SELECT * FROM sales ORDER BY id"), [
      ["1", "10", "9223372036854775807", "2026-01-31", "2026-01-31T10:00:00", "true", "naïve ☕", "AQI=", "soon", "1"],
      [
        "2",
        "2.5",
        "-9007199254740993",
        "2024-02-29",
        "2026-02-01T11:30:00.25",
        "false",
        null,
        null,
        "2026-01-01",
        "one",
      ],
    ]);
    const odd = await open("shop", 'odd "name"');
    assert.deepEqual(await typesOf(odd), ["a b STRING"]);
    await assert.rejects(open("shop", "endless"), { message: /acme\.shop\.endless/ });
  });

  it("reads the keys that a SQLite database declares, between the tables that are asked together", async () => {
    const names = ["Buyers", "deals", "deal_lines"];
    const tableReferences = names.map((tableId) => ({ projectId: "acme", datasetId: "keys", tableId }));
    const source = await warehouse.open(
      create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } }),
    );
    assert.ok(source.kind === "sql");
    const keys = (await source.describe(signal)).map(({ primaryKey, foreignKeys }) => ({ primaryKey, foreignKeys }));
    const toDeals = {
      columns: ["region", "deal"],
      table: ["acme", "keys", "deals"],
      referencedColumns: ["area", "no"],
    };
    assert.deepEqual(keys, [
      { primaryKey: ["id"], foreignKeys: undefined },
      {
        primaryKey: ["area", "no"],
        foreignKeys: [{ columns: ["buyer"], table: ["acme", "keys", "Buyers"], referencedColumns: ["id"] }],
      },
      { primaryKey: undefined, foreignKeys: [toDeals] },
    ]);
    const alone = await open("keys", "deals");
    assert.equal((await alone.describe(signal))[0]?.foreignKeys, undefined);
  });

  it("takes titles above the names of columns for none of them, and tells (CA-85)", async () => {
    const [titled, plain] = [await open("titled", "Orders"), await open("book", "Orders")];
    assert.deepEqual(await typesOf(titled), await typesOf(plain));
    const sql = "SELECT * FROM Orders ORDER BY day";
    assert.deepEqual(await rowsOf(titled, sql), await rowsOf(plain, sql));
    const [{ description } = {}] = await titled.describe(signal);
    assert.match(description ?? "", /“Orders of January”, “by day”/);
    assert.equal((await plain.describe(signal))[0]?.description, undefined);
  });

  it("reads sheets by name, with dates, times and texts as Excel shows them", async () => {
    const source = await open("book", "Orders");
    assert.deepEqual(await typesOf(source), [
      "day DATE",
      "who STRING",
      "Who_2 BOOL",
      "column_4 DATETIME",
      "total FLOAT64",
      "column_6 INT64",
    ]);
    assert.deepEqual(await rowsOf(source, "SELECT * FROM Orders ORDER BY day"), [
      ["2026-01-31", "Jo's <shop>", "true", "2026-01-31T12:00:00", "1.5", null],
      ["2026-02-01", null, "false", null, "2", "9007199254740991"],
    ]);
    assert.deepEqual(await rowsOf(await open("book", "R & D"), 'SELECT * FROM "R & D"'), [["7"]]);
    await assert.rejects(open("book", "Secret"), { message: /acme\.book\.Secret/ });
  });

  it("names tables of files in a folder by file and table", async () => {
    assert.deepEqual(await rowsOf(await open("all", "shop_sales"), "SELECT count(*) FROM shop_sales"), [["2"]]);
    assert.deepEqual(await rowsOf(await open("all", "book_Orders"), "SELECT count(*) FROM book_Orders"), [["2"]]);
  });

  it("reads a file again when it has changed, also while a writer has a write-ahead log", async () => {
    const [shop, book] = [await open("shop", "sales"), await open("book", "Orders")];
    const database = new DatabaseSync(at("shop.db"));
    database.exec("PRAGMA journal_mode = WAL; INSERT INTO sales (id, late) VALUES (3, 'x')");
    writeFileSync(at("book.xlsx"), workbook(`${ROWS}<row>${text("A9", "later")}</row>`));
    utimesSync(at("book.xlsx"), 1, 2);
    await Promise.all([shop.describe(signal), shop.describe(signal), book.describe(signal)]);
    assert.deepEqual(await rowsOf(shop, "SELECT count(*) FROM sales"), [["3"]]);
    assert.deepEqual(await rowsOf(book, "SELECT max(day) FROM Orders"), [["later"]]);
    database.close();
  });

  it("rejects malicious and damaged files by name, and reads the others", async () => {
    const bomb = workbook(`${ROWS}${" ".repeat(51 * 1024 * 1024)}`);
    writeFileSync(at("bomb.xlsx"), bomb);
    writeFileSync(at("wide.xlsx"), workbook(`<row>${text("XFD1", "x")}</row>`.repeat(62)));
    writeFileSync(at("deep.xlsx"), workbook("<a>".repeat(100)));
    writeFileSync(at("empty.xlsx"), workbook(""));
    writeFileSync(at("text.xlsx"), "not a zip at all");
    writeFileSync(at("word.xlsx"), zipSync({ "word/document.xml": Buffer.from("<w/>") }));
    writeFileSync(at("text.sqlite"), "not a database, but long enough to be read as one".repeat(20));
    const database = new DatabaseSync(at("big.sqlite"));
    database.exec(
      "CREATE TABLE Orders (t); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO Orders SELECT 'some text ' || i FROM n",
    );
    database.close();
    copyFileSync(at("big.sqlite"), at("torn.sqlite"));
    truncateSync(at("torn.sqlite"), Math.floor(readFileSync(at("big.sqlite")).length / 2));
    const reasons: Readonly<Record<string, RegExp>> = {
      "bomb.xlsx": /bomb\.xlsx cannot be read as tables: it unpacks to more than 50 MB/,
      "wide.xlsx": /wide\.xlsx .*more than 1000000 cells/,
      "deep.xlsx": /deep\.xlsx .*nested too deeply/,
      "empty.xlsx": /the sheet Orders is empty/,
      "text.xlsx": /text\.xlsx .*not a valid workbook/,
      "word.xlsx": /word\.xlsx .*not an Excel workbook/,
      "text.sqlite": /text\.sqlite .*not a database/,
      "torn.sqlite": /torn\.sqlite .*malformed/,
    };
    for (const [name, message] of Object.entries(reasons))
      await assert.rejects(open(name, "Orders", "bad"), { message });
    assert.deepEqual(await rowsOf(await open("all", "big"), "SELECT count(*) FROM big"), [["2000"]]);
  });

  it("stops at a small database whose pages repeat the same rows endlessly", async () => {
    const sound = readFileSync(at("big.sqlite"));
    const size = sound.readUInt16BE(16);
    const pages = sound.length / size;
    // The second page is the root of the table. Copies of it are put one below the other, and all children are the next copy.
    const root = sound.subarray(size, 2 * size);
    const leaf = root.readUInt32BE(root.readUInt16BE(12));
    const levels = [1, 2, 3, 4].map((level) => pointingAt(root, level < 4 ? pages + level : leaf));
    const [first = root, ...below] = levels;
    const bytes = Buffer.concat([sound.subarray(0, size), first, sound.subarray(2 * size), ...below]);
    bytes.writeUInt32BE(pages + below.length, 28);
    writeFileSync(at("torn.sqlite"), bytes);
    await assert.rejects(open("torn.sqlite", "Orders", "bad"), { message: /has more rows than the file can hold/ });
  });
});

/** An inner page of SQLite all of whose children are one page. */
function pointingAt(inner: Buffer, child: number): Buffer {
  const page = Buffer.from(inner);
  page.writeUInt32BE(child, 8);
  const cells = page.readUInt16BE(3);
  for (let cell = 0; cell < cells; cell++) page.writeUInt32BE(child, page.readUInt16BE(12 + 2 * cell));
  return page;
}
