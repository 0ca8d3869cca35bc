import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { zipSync } from "fflate";
import { startTestServer, type TestServer } from "#testing";
import { askAll, callRest, LOCATION } from "./data-server.ts";

const CSV = `order_id,placed,region,price,discount,note
1,31.01.2026,North,"$1,130.75",5%,first
2,28.02.2026,South,$20.00,,second
3,13.02.2026,North,n/a,1%,third
4,01.03.2026,North,($7.25),2%,fourth
`;

describe("files that people upload (CA-45, CA-46, CA-47)", () => {
  const folder = mkdtempSync(join(tmpdir(), "data-files-"));
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  // biome-ignore lint/suspicious/noExplicitAny: JSON of the API
  type Json = any;
  const upload = async (displayName: string, content: string | Uint8Array, location = LOCATION) => {
    const path = `/upload/v1beta/${location}/dataFiles?displayName=${encodeURIComponent(displayName)}`;
    const response = await fetch(`${server.address}${path}`, { method: "POST", body: Buffer.from(content) });
    return { status: response.status, json: (await response.json()) as Json };
  };
  const referenceTo = ({ tables }: Json, at = 0) => ({ bq: { tableReferences: [tables[at].tableReference] } });
  const ask = async (file: Json, text: string, at = 0) => {
    const datasourceReferences = referenceTo(file, at);
    const elements = await askAll(server, {
      messages: [{ userMessage: { text } }],
      inlineContext: { datasourceReferences },
    });
    const data = elements.find(({ systemMessage }: Json) => systemMessage?.data?.result)?.systemMessage as Json;
    return data?.data.result.data ?? elements;
  };
  const stored = () => readdirSync(join(server.dataDir, "uploads"));
  /** How many tables have a profile in the store. */
  const profiles = () => {
    using database = new DatabaseSync(join(server.dataDir, "frontdesk.db"));
    return database.prepare("SELECT count(*) AS count FROM resources WHERE type = 'frontdesk/TableProfile'").get()
      ?.count;
  };
  const remove = (name: string, force = false) => callRest(server, "DELETE", `/v1beta/${name}?force=${force}`);

  it("show what their columns have, and answer questions", async () => {
    const { status, json } = await upload("Orders Q1.csv", CSV);
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.format, "CSV");
    const [table] = json.tables;
    assert.deepEqual([table.tableId, table.rowCount], ["orders_q1", "4"]);
    const kinds = table.columns.map(({ name, kind, type, format }: Json) => [name, kind, type, format ?? ""].join(" "));
    assert.deepEqual(kinds, [
      "order_id IDENTIFIER INT64 ",
      "placed DATE DATE ",
      "region CATEGORY STRING ",
      "price MONEY FLOAT64 .",
      "discount NUMBER FLOAT64 . %",
      "note TEXT STRING ",
    ]);
    assert.deepEqual(table.columns[3].samples, ["1130.75", "20.0", "", "-7.25"]);
    assert.equal(table.columns[3].emptyCount, "1");
    assert.deepEqual(await ask(json, "total price by region"), [
      { region: "North", total_price: "1123.5" },
      { region: "South", total_price: "20" },
    ]);
    const { json: got } = await callRest(server, "GET", `/v1beta/${json.name}`);
    assert.deepEqual(got, json);
    await remove(json.name);
  });

  it("are corrected: a column is read as another kind, or stays as it is where its values are not of that kind", async () => {
    const { json: file } = await upload(
      "prices.csv",
      "item,price,day\nTea,1.234,3/4/2026\nMug,2.500,5/6/2026\nPot,n/a,7/8/2026\n",
    );
    const column = (json: Json, name: string) => json.tables[0].columns.find((one: Json) => one.name === name);
    const change = (columns: object[]) =>
      callRest(server, "PATCH", `/v1beta/${file.name}?updateMask=tables`, { tables: [{ tableId: "prices", columns }] });
    const { status, json } = await change([
      { name: "price", kind: "MONEY", format: "," },
      { name: "day", kind: "DATE", format: "%d/%m/%Y" },
    ]);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(column(json, "price").samples, ["1234.0", "2500.0", ""]);
    assert.deepEqual(column(json, "day").samples, ["2026-04-03", "2026-06-05", "2026-08-07"]);
    assert.deepEqual(await ask(json, "total price"), [{ total_price: "3734" }]);
    const refused = await change([{ name: "item", kind: "NUMBER" }]);
    assert.equal(refused.status, 400);
    const [violation] = refused.json.error.details[0].fieldViolations;
    assert.equal(violation.field, "data_file.tables[0].columns[0]");
    assert.match(violation.description, /In 'item', 3 values are not of the kind number, such as '(Tea|Mug|Pot)'/);
    assert.deepEqual((await callRest(server, "GET", `/v1beta/${file.name}`)).json.tables, json.tables);
    await remove(file.name);
  });

  it("may be texts as spreadsheets on Windows write them, and say what was assumed (CA-67)", async () => {
    const text = "Kunde;Größe;Preis\r\nMüller;12;3,50 \x80\r\nWeiß;1;1.234,00 \x80\r\n";
    const { json: file } = await upload("preise.csv", Buffer.from(text, "latin1"));
    const [table] = file.tables;
    assert.match(table.description, /not UTF-8; it was read as Windows-1252/);
    assert.deepEqual(
      table.columns.map(({ name, kind }: Json) => `${name} ${kind}`),
      ["Kunde TEXT", "Größe NUMBER", "Preis MONEY"],
    );
    assert.deepEqual(await ask(file, "total preis"), [{ total_preis: "1237.5" }]);
    const { json: changed } = await callRest(server, "PATCH", `/v1beta/${file.name}?updateMask=tables`, {
      tables: [{ tableId: "preise", columns: [{ name: "Preis", kind: "TEXT" }] }],
    });
    assert.equal(changed.tables[0].description, table.description);
    const { json: unicode } = await upload("export.txt", Buffer.from("\uFEFFa\tb\r\nä\t1\r\n", "utf16le"));
    assert.equal(unicode.tables[0].description, "The file is UTF-16.");
    await remove(file.name);
    await remove(unicode.name);
  });

  it("have numbers and times as people write them, and codes that only look like numbers (CA-47)", async () => {
    const columnsOf = async (content: string) => {
      const { json } = await upload("messy.csv", content);
      const [{ columns }] = json.tables;
      await remove(json.name);
      return columns.map(({ name, type, samples }: Json) => `${name} ${type} ${samples.join(" | ")}`);
    };
    const cases: readonly (readonly [content: string, columns: readonly string[]])[] = [
      // letters before digits are a currency, or part of a code
      [
        "item,policy,pen,paid\nSKU-001,POL5000,PEN-0012,EUR 5.00\nSKU-002,POL5001,PEN-0013,EUR -7.50\n",
        [
          "item STRING SKU-001 | SKU-002",
          "policy STRING POL5000 | POL5001",
          "pen STRING PEN-0012 | PEN-0013",
          "paid FLOAT64 5.0 | -7.5",
        ],
      ],
      ["phone,n\n555 123 456,1\n555 222 333,2\n", ["phone STRING 555 123 456 | 555 222 333", "n INT64 1 | 2"]],
      // words for a missing value make no text of numbers; zeros in front are those of a code
      ["score,zip\n90,01234\nn/a,n/a\n70,98765\n", ["score FLOAT64 90.0 |  | 70.0", "zip STRING 01234 | n/a | 98765"]],
      // what two forms fit is read as the other columns are written
      [
        'price,whole,filed,paid\n"$1,234.50","12,000",25/12/2025,03/04/2026\n$2.00,"8,000",13/01/2026,05/06/2026\n',
        [
          "price FLOAT64 1234.5 | 2.0",
          "whole FLOAT64 12000.0 | 8000.0",
          "filed DATE 2025-12-25 | 2026-01-13",
          "paid DATE 2026-04-03 | 2026-06-05",
        ],
      ],
      ['k,whole\na,"12,000"\nb,"8,000"\n', ["k STRING a | b", "whole STRING 12,000 | 8,000"]],
      // a minus behind the number, a real minus sign, a time of day behind a date
      [
        'k,sap,real\na,"1,000.50-",−5.00\nb,2.00,7.00\n',
        ["k STRING a | b", "sap FLOAT64 -1000.5 | 2.0", "real FLOAT64 -5.0 | 7.0"],
      ],
      [
        "k,at\na,31/12/2025 14:05\nb,01/02/2026 09:00\n",
        ["k STRING a | b", "at DATETIME 2025-12-31 14:05:00 | 2026-02-01 09:00:00"],
      ],
      [
        "k,at\na,12/31/2025 2:05 PM\nb,1/2/2026 9:00 AM\n",
        ["k STRING a | b", "at DATETIME 2025-12-31 14:05:00 | 2026-01-02 09:00:00"],
      ],
    ];
    for (const [content, columns] of cases) assert.deepEqual(await columnsOf(content), columns);
  });

  it("may have titles above the names of their columns, which are told of (CA-85)", async () => {
    const titled =
      "Sales report 2026,,\nGenerated 2026-01-31,,\n,,\nregion,month,amount\nNorth,2026-01,100\nSouth,2026-01,200\n";
    const { json: file } = await upload("titled.csv", titled);
    assert.match(file.tables[0].description, /“Sales report 2026”, “Generated 2026-01-31”/);
    assert.deepEqual(await ask(file, "total amount by region"), [
      { region: "South", total_amount: "200" },
      { region: "North", total_amount: "100" },
    ]);
    await remove(file.name);
    const { json: plain } = await upload("plain.csv", "5,,\n6,1,2\n7,,3\n");
    assert.deepEqual([plain.tables[0].rowCount, plain.tables[0].description], ["3", undefined]);
    await remove(plain.name);
  });

  it("may be workbooks, databases and Parquet files", async () => {
    const database = new DatabaseSync(join(folder, "shop.sqlite"));
    database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL); INSERT INTO orders VALUES (1, 2.5), (2, 4);
      CREATE TABLE stores (name TEXT); INSERT INTO stores VALUES ('Cork');
      CREATE VIEW endless AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t) SELECT * FROM t;
      CREATE TRIGGER boom AFTER INSERT ON orders BEGIN DELETE FROM orders; END;`);
    database.close();
    const { json: sqlite } = await upload("shop.db", readFileSync(join(folder, "shop.sqlite")));
    assert.deepEqual(
      [sqlite.format, sqlite.tables?.map(({ tableId }: Json) => tableId)],
      ["SQLITE", ["orders", "stores"]],
      JSON.stringify(sqlite),
    );
    assert.deepEqual(await ask(sqlite, "total by id"), [
      { id: "2", total_total: "4" },
      { id: "1", total_total: "2.5" },
    ]);
    const { json: book } = await upload("book.xlsx", workbook());
    assert.deepEqual(
      [book.format, book.tables?.[0].tableId, book.tables?.[0].columns[1].samples],
      ["XLSX", "Sales", ["10"]],
      JSON.stringify(book),
    );
    await remove(sqlite.name);
    await remove(book.name);
  });

  it("may be JSON: a list of objects, or one on each line, by name or by content", async () => {
    const rows = [
      { id: "A-1", placed: "31.01.2026", total: "$1,200.50", weight: 3, note: "first" },
      { id: "A-2", placed: "28.02.2026", total: "$20.00", weight: 2.5 },
    ];
    for (const [name, content] of [
      ["orders.json", JSON.stringify(rows)],
      ["orders.ndjson", rows.map((row) => JSON.stringify(row)).join("\n")],
      ["orders.txt", `\n${JSON.stringify(rows, null, 2)}`],
      ["orders.json", Buffer.from(`\ufeff${JSON.stringify(rows)}`, "utf16le")],
    ] as const) {
      const { status, json: file } = await upload(name, content);
      assert.equal(status, 200, JSON.stringify(file));
      assert.equal(file.format, "JSON", name);
      const kinds = file.tables[0].columns.map(({ name, kind }: Json) => [name, kind]);
      assert.deepEqual(
        kinds.filter(([name]: Json) => ["placed", "total", "weight"].includes(name)),
        [
          ["placed", "DATE"],
          ["total", "MONEY"],
          ["weight", "NUMBER"],
        ],
      );
      assert.deepEqual(await ask(file, "total by id"), [
        { id: "A-1", total_total: "1200.5" },
        { id: "A-2", total_total: "20" },
      ]);
      await remove(file.name);
    }
  });

  it("are refused with the reason, and leave nothing behind", async () => {
    const bomb = zipSync(
      {
        "xl/workbook.xml": new Uint8Array(60_000_000).fill(32),
        "xl/_rels/workbook.xml.rels": Buffer.from("<Relationships/>"),
      },
      { level: 1 },
    );
    const wide = Array.from({ length: 2_001 }, (_, at) => `c${at}`).join(",");
    const refusals: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
      ["empty.csv", "", /content/],
      ["", "a\n1\n", /display_name/],
      ["old.xls", Buffer.from("\u00d0\u00cf\u0011\u00e0 old", "latin1"), /\.xlsx/],
      ["a.zip", zipSync({ "a.csv": new Uint8Array(3) }), /archive/],
      ["text.csv", Buffer.from("a,b\n1,\0\n2,3\n"), /It is no text: it has zero bytes/],
      ["bomb.xlsx", bomb, /unpacks to more than 50 MB/],
      ["wide.csv", `${wide}\n${wide}\n`, /2,001 columns; the limit is 2,000/],
      ["torn.sqlite", "SQLite format 3\0 torn", /SQLite/],
      ["bad.parquet", "PAR1 nothing PAR1", /Parquet|parquet/],
      [
        "api.json",
        '{"next": null, "data": [{"a": 1}, {"a": 2}]}',
        /one object, whose rows may be in 'data': upload that list/,
      ],
      ["torn.json", '[{"a": 1}, {"a": ', /torn\.json cannot be read as a table/],
    ];
    for (const [name, content, message] of refusals) {
      const { status, json } = await upload(name, content);
      assert.equal(status, 400, `${name} ${JSON.stringify(json)}`);
      assert.match(json.error.message, message, name);
      assert.doesNotMatch(json.error.message, /uploads\//, name);
    }
    assert.deepEqual(stored(), []);
    assert.deepEqual((await callRest(server, "GET", `/v1beta/${LOCATION}/dataFiles`)).json, {});
  });

  it("are read in their own location only, and told of in the same words as files that never were", async () => {
    const { json: file } = await upload("secret.csv", "a\n1\n");
    const references = referenceTo(file);
    const [{ datasetId, tableId }] = references.bq.tableReferences;
    const ids = { projectId: "p", region: "r", clusterId: "c", instanceId: "i" };
    const asDatabase = { alloydb: { databaseReference: { ...ids, databaseId: datasetId, tableIds: [tableId] } } };
    const question = { messages: [{ userMessage: { text: "how many rows?" } }] };
    const refusals: string[] = [];
    const nobody = structuredClone(references);
    nobody.bq.tableReferences[0].datasetId = `upload_${"0".repeat(32)}`;
    for (const [location, datasourceReferences] of [
      ["projects/other/locations/global", references],
      ["projects/p/locations/us", references],
      ["projects/other/locations/global", asDatabase],
      [LOCATION, nobody],
    ] as const) {
      const { json } = await callRest(server, "POST", `/v1beta/${location}:chat`, {
        ...question,
        inlineContext: { datasourceReferences },
      });
      const { error } = Array.isArray(json) ? json[0] : json;
      assert.equal(error?.status, "FAILED_PRECONDITION", JSON.stringify(json));
      refusals.push(error.message.replace(/upload_\w+/, "upload"));
    }
    assert.equal(new Set(refusals).size, 1, refusals.join("\n"));
    assert.deepEqual((await callRest(server, "GET", "/v1beta/projects/other/locations/-/dataFiles")).json, {});
    await remove(file.name);
  });

  it("are removed with all that was read of them, after their agents are told", async () => {
    const before = profiles();
    const { json: file } = await upload("gone.csv", "city,n\nCork,1\nDublin,2\n");
    const dataAnalyticsAgent = { publishedContext: { datasourceReferences: referenceTo(file) } };
    const agent = `${LOCATION}/dataAgents/gone`;
    await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=gone`, {
      dataAnalyticsAgent,
    });
    const run = () =>
      callRest(server, "POST", `/v1beta/${agent}:runStatement`, { sqlQuery: "SELECT n FROM gone ORDER BY n" });
    assert.deepEqual((await run()).json.result?.data, [{ n: "1" }, { n: "2" }]);
    const chat = {
      messages: [{ userMessage: { text: "How many rows are there by city?" } }],
      dataAgentContext: { dataAgent: agent },
    };
    assert.match(JSON.stringify((await callRest(server, "POST", `/v1beta/${LOCATION}:chat`, chat)).json), /Dublin/);
    while (profiles() === before) await setTimeout(20);
    assert.deepEqual((await callRest(server, "GET", `/v1beta/${file.name}`)).json.dataAgents, [agent]);
    const refused = await remove(file.name);
    assert.deepEqual([refused.status, refused.json.error.details[0].reason], [400, "DATA_FILE_IN_USE"]);
    assert.ok(refused.json.error.message.includes(`because a data agent reads it (${agent})`));
    assert.equal((await remove(file.name, true)).status, 200);
    assert.equal((await run()).json.error?.details[0].reason, "DATA_FILE_UNKNOWN");
    assert.equal((await callRest(server, "GET", `/v1beta/${file.name}`)).status, 404);
    assert.deepEqual(stored(), []);
    assert.equal(profiles(), before);
    assert.ok(!blobsUnder(server.dataDir).some((text) => text.includes("Dublin")));
  });
});

/** The contents of all files in the data folder, as text, but for the database: SQLite keeps pages that it no longer uses. */
function blobsUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.startsWith("frontdesk.db"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
}

/** A workbook with one sheet, in which a formula has a saved value. */
function workbook(): Uint8Array {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const parts = {
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="Sales" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="http://x/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData><row>${cell("who")}${cell("sold")}</row><row>${cell("Ann")}<c><f>WEBSERVICE("http://x")</f><v>10</v></c></row></sheetData></worksheet>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, Buffer.from(text)])));
}
