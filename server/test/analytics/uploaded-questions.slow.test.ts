import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { startTestServer, type TestServer } from "#testing";
import { askAll, LOCATION } from "./data-server.ts";

/** Cells with units, and one column whose cells have several. */
const TRAINS = `service,line,arrived_at,left_at,status,passengers,load,fuel used,freight,revenue,track charge
T-1,Coast,2026-05-01 08:00,2026-05-01 09:00,ran,100,50 %,"1,000 L",3 kg,"£1,000.00",£100.00
T-2,Coast,2026-05-02 08:00,2026-05-02 08:30,ran,300,95%,"1,500 L",500 g,"£5,000.00",£150.00
T-3,Valley,2026-05-03 08:00,,cancelled,,,,1 kg,,£50.00
T-4,Valley,2026-06-04 08:00,2026-06-04 10:00,ran,200,80 %,"2,000 L",2 kg,"£3,000.00",£200.00
T-5,Coast,2026-01-05 08:00,2026-01-05 09:30,ran,400,75 %,500 L,4 kg,"£1,000.00",£100.00
`;

/** Two times that were planned, each with the one at which it was so. */
const RAIL = `service,line,scheduled_departure,actual_departure,scheduled_arrival,actual_arrival
S-1,Coast,2026-05-01 08:00,2026-05-01 08:05,2026-05-01 09:00,2026-05-01 09:20
S-2,Coast,2026-05-02 08:00,2026-05-02 08:00,2026-05-02 09:00,2026-05-02 08:50
S-3,Valley,2026-05-03 08:00,,2026-05-03 09:00,
S-4,Valley,2026-05-04 08:00,2026-05-04 08:15,2026-05-04 10:00,2026-05-04 10:02
`;

/** Rows with a list and a record. */
const VISITS = `SELECT 1 AS visit_id, 'Hale' AS vet, ['urgent', 'insured'] AS tags, {'id': 7, 'city': 'Leeds'} AS owner
  UNION ALL SELECT 2, 'Hale', ['insured'], {'id': 7, 'city': 'Hull'}`;

/** Amounts in cents, flags, and a table whose rows are named by a column of its own name. */
const BREWERY = `
CREATE TABLE pubs (pub_id INTEGER PRIMARY KEY, pub TEXT, opened DATE);
INSERT INTO pubs VALUES (1, 'The Fox', '1990-01-01'), (2, 'The Crown', '1985-02-01'), (3, 'The Bell', '2001-03-01');
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, pub_id INTEGER REFERENCES pubs (pub_id), beer TEXT, sold_on DATE,
  kegs INTEGER, amount_cents INTEGER, discount_pct REAL, returned TEXT);
INSERT INTO sales VALUES (1, 1, 'Stout', '2025-10-01', 2, 20000, 0, 'N'), (2, 1, 'IPA', '2026-01-05', 4, 60000, 10, 'Y'),
  (3, 2, 'IPA', '2026-02-06', 1, 12000, 5, 'N'), (4, 2, 'IPA', '2026-05-07', 5, 50100, 0, 'N'), (5, 1, 'Stout', '2026-04-08', 3, 30000, 0, 'N');
`;

// biome-ignore lint/suspicious/noExplicitAny: JSON of the API
type Json = any;

/** A question, what is found in the first rows' cells, and what the answer says. */
type Asked = readonly [question: string | readonly string[], rows: readonly (readonly unknown[])[], told?: RegExp];

const OF_TRAINS: readonly Asked[] = [
  // units in cells (CA-47)
  ["average load", [["75"]]],
  ["trains with a load over 90 %", [["T-2"]]],
  [
    "total fuel used by line",
    [
      ["Coast", "3000"],
      ["Valley", "2000"],
    ],
    /fuel used l/,
  ],
  ["how many trains used more than 1.2 hl of fuel?", [], /hl/],
  // one number with another (CA-94)
  ["revenue per passenger", [["10"]], /total revenue divided by total passengers/],
  ["which line has the highest revenue per passenger?", [["Valley", "15"]]],
  [
    "ratio of revenue to fuel used by line",
    [
      ["Coast", "2.3333333333333335"],
      ["Valley", "1.5"],
    ],
  ],
  ["total revenue minus track charge", [["9400"]]],
  ["track charge as a percentage of revenue in 2026-05", [["5"]]],
  // percentiles (CA-95)
  ["75th percentile of passengers", [["325"]]],
  ["p50 of passengers", [["250"]]],
  [
    "p25 passengers by line",
    [
      ["Coast", "200"],
      ["Valley", "200"],
    ],
  ],
  ["distribution of passengers", [["100", "175", "250", "325", "400"]]],
  [
    "distribution of status",
    [
      ["ran", "4"],
      ["cancelled", "1"],
    ],
  ],
  ["90th percentile of line", [], /is a text/],
  // how long rows last
  ["average duration", [["1.25"]], /hours from arrived at to left at/],
  ["lines with no cancelled trains", [], /cannot choose each line/],
];

const OF_RAIL: readonly Asked[] = [
  // planned and actual times (CA-98)
  ["average arrival delay", [["4"]], /less than none where it is early/],
  [
    "average departure delay by line",
    [
      ["Coast", "2.5"],
      ["Valley", "15"],
    ],
  ],
  ["average delay", [["4"]], /departure delay” for the other/],
  ["how late were services on average?", [["4"]]],
  ["how late did services arrive on average", [["4"]]],
  ["how many services departed late?", [["2"]]],
  ["services that arrived more than 10 minutes late", [["S-1"]]],
  [
    "how many services departed at least 5 minutes late by line",
    [
      ["Coast", "1"],
      ["Valley", "1"],
    ],
  ],
  ["services late by more than 15 minutes", [["S-1"]]],
  ["percentage of services that arrived on time", [["33.33"]]],
  ["which line has the worst arrival delay?", [["Coast", "5"]], /read as the longest time/],
];

const OF_BREWERY: readonly Asked[] = [
  // cents (CA-93)
  ["total amount", [["1721"]], /amount cents of sales divided by 100/],
  ["total amount cents", [["172100"]]],
  ["sales with an amount over 500", [["2"], ["4"]]],
  ["amount per keg", [["114.73333333333333"]]],
  [
    "top 2 pubs by amount",
    [
      ["The Fox", "1100"],
      ["The Crown", "621"],
    ],
  ],
  [
    "pubs by amount",
    [
      ["The Fox", "1100"],
      ["The Crown", "621"],
    ],
    /of each of pubs/,
  ],
  // what there is some of (CA-96)
  ["sales with a discount", [["2"], ["3"]], /discount pct > 0/],
  ["how many sales had a discount?", [["2"]]],
  ["pubs who never returned anything", [["The Crown"], ["The Bell"]], /without sales where returned is Y/],
  ["pubs that bought every beer", [], /not those with every beer/],
  ["oldest pub", [["The Crown"]]],
  // times (CA-97)
  ["kegs sold in 2026 Q1", [["5"]]],
  [
    "kegs 2025 q4 vs 2026 q1",
    [
      ["2025-10-01", "2"],
      ["2026-01-01", "5"],
    ],
  ],
  ["kegs last quarter vs the quarter before", [["2026-04-01", "8", "60"]]],
  ["which pub grew the most from 2025 to 2026?", [], /whose growth/],
];

const OF_VISITS: readonly Asked[] = [
  // lists and records (CA-99)
  ["visits by tag", [], /list in each row/],
  ["number of owners", [], /is a record of id, city/],
  ["visits by vet", [["Hale", "2"]]],
];

describe("questions to uploaded files, without a language model (CA-47, CA-93 to CA-97)", () => {
  const folder = mkdtempSync(join(tmpdir(), "uploaded-questions-"));
  const now = Date.UTC(2026, 6, 1, 10);
  let server: TestServer;
  const files: Record<string, Json> = {};
  before(async () => {
    server = await startTestServer({ clock: { now: () => now } });
    const database = new DatabaseSync(join(folder, "brewery.sqlite"));
    database.exec(BREWERY);
    database.close();
    const duckdb = await DuckDBInstance.create();
    const connection = await duckdb.connect();
    await connection.run(`COPY (${VISITS}) TO '${join(folder, "visits.parquet")}' (FORMAT parquet)`);
    connection.closeSync();
    duckdb.closeSync();
    for (const [name, content] of [
      ["trains.csv", Buffer.from(TRAINS)],
      ["services.csv", Buffer.from(RAIL)],
      ["visits.parquet", readFileSync(join(folder, "visits.parquet"))],
      ["brewery.sqlite", readFileSync(join(folder, "brewery.sqlite"))],
    ] as const) {
      const path = `/upload/v1beta/${LOCATION}/dataFiles?displayName=${name}`;
      const response = await fetch(`${server.address}${path}`, { method: "POST", body: content });
      files[name] = await response.json();
      assert.equal(response.status, 200, JSON.stringify(files[name]));
    }
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const ask = async (name: string, text: string) => {
    const tableReferences = files[name].tables.map(({ tableReference }: Json) => tableReference);
    const elements: Json[] = await askAll(server, {
      messages: [{ userMessage: { text } }],
      inlineContext: { datasourceReferences: { bq: { tableReferences } } },
    });
    const result = elements.find(({ systemMessage }) => systemMessage?.data?.result)?.systemMessage.data.result;
    const final = elements.findLast(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE");
    const rows = result?.data?.map((row: Json) => result.schema.fields.map((field: Json) => row[field.name])) ?? [];
    return { rows, told: final?.systemMessage.text.parts.join("\n") ?? JSON.stringify(elements) };
  };

  const sets = {
    "trains.csv": OF_TRAINS,
    "services.csv": OF_RAIL,
    "visits.parquet": OF_VISITS,
    "brewery.sqlite": OF_BREWERY,
  };
  for (const [name, questions] of Object.entries(sets)) {
    for (const [question, expected, words] of questions) {
      it(`${expected.length > 0 ? "answers" : "refuses"} “${question}”`, async () => {
        const { rows, told } = await ask(name, String(question));
        const seen = JSON.stringify({ rows, told });
        assert.equal(rows.length, expected.length, seen);
        for (const cells of expected)
          assert.ok(
            rows.some((row: readonly unknown[]) => cells.every((cell) => row.includes(cell))),
            seen,
          );
        if (words) assert.match(told, words);
      });
    }
  }

  it("keeps the unit of a column, and leaves cells in several units as texts", async () => {
    const columns = files["trains.csv"].tables[0].columns.map(({ name, type, format = "" }: Json) => [
      name,
      type,
      format,
    ]);
    assert.deepEqual(
      columns.filter(([name]: string[]) => /load|fuel|freight/.test(name ?? "")),
      [
        ["load", "FLOAT64", ". %"],
        ["fuel used", "FLOAT64", ". l"],
        ["freight", "STRING", ""],
      ],
    );
  });
});
