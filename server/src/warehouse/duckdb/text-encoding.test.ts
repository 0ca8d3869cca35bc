import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { createWarehouse, type SqlSource, type Warehouse } from "../index.ts";
import { unicodeOf } from "./text-encoding.ts";

const LIMITS = { maxRows: 100, maxBytes: 100_000, timeoutMs: 30_000 };
const { signal } = new AbortController();

const TEXT = "Kunde;Größe;Preis €\r\nMüller;12;3\r\nO’Brien;1;4\r\n";
const ROWS = [
  ["Müller", "12", "3"],
  ["O’Brien", "1", "4"],
];
/** "€" and "’" are letters of Windows-1252 alone. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll("€", "\x80").replaceAll("’", "\x92"), "latin1");
const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

/** Rows of letters in ASCII, and one at the end that is not. */
const LATE = `name;n\n${Array.from({ length: 60_000 }, (_, at) => `row${at};${at}\n`).join("")}Müller;1\n`;

const FILES: Readonly<Record<string, Uint8Array>> = {
  "windows.csv": windows1252(TEXT),
  "marked.csv": Buffer.from(`\uFEFF${TEXT}`, "utf16le"),
  "unmarked.csv": Buffer.from(TEXT, "utf16le"),
  "big.csv": utf16be(`\uFEFF${TEXT}`),
  "tabs.tsv": Buffer.from(`\uFEFF${TEXT.replaceAll(";", "\t")}`, "utf16le"),
  "plain.csv": Buffer.from(TEXT),
  "late.csv": windows1252(LATE),
  "shell.json": Buffer.from('\uFEFF[{"Kunde": "Müller"}]', "utf16le"),
};

describe("texts that are not UTF-8 (CA-67)", () => {
  const folder = mkdtempSync(join(tmpdir(), "encodings-"));
  const spillDir = join(folder, "spill");
  let warehouse: Warehouse;
  before(() => {
    mkdirSync(join(folder, "files"));
    for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, "files", name), content);
    warehouse = createWarehouse({
      sources: [{ name: ["acme", "d"], path: join(folder, "files") }],
      memory: "256MB",
      spillDir,
    });
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  async function open(tableId: string): Promise<SqlSource> {
    const tableReferences = [{ projectId: "acme", datasetId: "d", tableId }];
    const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
    return (await warehouse.open(references)) as SqlSource;
  }

  async function read(tableId: string, sql = `SELECT * FROM acme.d.${tableId}`) {
    const source = await open(tableId);
    const [schema] = await source.describe(signal);
    const { rows } = await source.query({ sql, limits: LIMITS, signal });
    return { rows, names: schema?.columns.map(({ name }) => name), description: schema?.description };
  }

  for (const [table, description] of [
    ["windows", /read as Windows-1252/],
    ["marked", /^The file is UTF-16\.$/],
    ["unmarked", /^The file is UTF-16\.$/],
    ["big", /^The file is UTF-16\.$/],
    ["tabs", /^The file is UTF-16\.$/],
  ] as const)
    it(`are read as what they are: ${table}`, async () => {
      const found = await read(table);
      assert.deepEqual(found.names, ["Kunde", "Größe", "Preis €"]);
      assert.deepEqual(found.rows, ROWS);
      assert.match(found.description ?? "", description);
    });

  it("are told from UTF-8, of which nothing is said", async () => {
    const { rows, description } = await read("plain");
    assert.deepEqual(rows, ROWS);
    assert.equal(description, undefined);
  });

  it("may show it in the last row alone", async () => {
    const { rows } = await read("late", "SELECT count(*), max(name) FILTER (name LIKE 'M%') FROM acme.d.late");
    assert.deepEqual(rows, [["60001", "Müller"]]);
  });

  it("may be JSON", async () => {
    assert.deepEqual((await read("shell")).rows, [["Müller"]]);
  });

  it("leave no copy behind", async () => {
    await read("windows");
    const left = readdirSync(spillDir, { recursive: true }).filter((name) => /\.(csv|tsv|json)$/.test(String(name)));
    assert.deepEqual(left, []);
  });

  it("are no UTF-16 because of a few zeros", () => {
    assert.equal(unicodeOf(Buffer.from("a\0b,c,d,e,f,g,h\n1,2,3,4,5\n")), undefined);
    assert.equal(unicodeOf(new Uint8Array(100)), undefined);
    assert.equal(unicodeOf(new Uint8Array()), undefined);
  });
});
