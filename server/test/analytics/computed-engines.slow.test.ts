import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createConnection } from "mysql2/promise";
import pg from "pg";
import {
  startMariaDb,
  startPostgres,
  type ThrowawayMariaDb,
  type ThrowawayPostgres,
  withoutMariaDb,
  withoutPostgres,
} from "#testing";
import { createWarehouse, type Warehouse } from "#warehouse";
import { coversRows } from "./comparable-rows.ts";
import { COMPUTED_QUESTIONS } from "./computed-questions.ts";
import { COMPUTED_TABLES, statementsOf } from "./computed-tables.ts";
import { FIELD_QUESTIONS, type FieldQuestion } from "./field-questions.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import { type ComputedSet, computedOnDuckdb, openComputed } from "./start-computed.ts";

const TABLES = { ...COMPUTED_TABLES, ...FIELD_TABLES };
const QUESTIONS: Readonly<Record<string, readonly FieldQuestion[]>> = { ...COMPUTED_QUESTIONS, ...FIELD_QUESTIONS };
const SETS = Object.keys(TABLES);
const ELSEWHERE = { sources: [], memory: "256MB", spillDir: "/nonexistent" };

describe("the same questions on other engines (CA-76 to CA-91, CA-115 to CA-117)", () => {
  const folder = mkdtempSync(join(tmpdir(), "computed-engines-"));
  let duckdb: Warehouse;
  before(async () => {
    duckdb = await computedOnDuckdb(folder, TABLES);
  });
  after(async () => {
    await duckdb.close();
    rmSync(folder, { recursive: true });
  });

  /** Each question in the words of the engine, with the rows that DuckDB has for it. */
  function answersAlike(open: (set: string) => Promise<ComputedSet>, unknown: RegExp) {
    for (const [set, questions] of Object.entries(QUESTIONS)) {
      it(`answers the questions to ${set} as DuckDB does`, async () => {
        const [here, there] = [await openComputed(duckdb, set, TABLES), await open(set)];
        for (const [asked] of questions.filter(([one]) => !unknown.test(String(one)))) {
          const said = typeof asked === "string" ? [asked] : asked;
          const [question = "", ...earlier] = [said.at(-1), ...said.slice(0, -1)].map(String);
          const [one, other] = [await here.ask(question, ...earlier), await there.ask(question, ...earlier)];
          assert.equal("refused" in one, "refused" in other, `${question}: ${JSON.stringify([one, other])}`);
          if ("refused" in one || "refused" in other) continue;
          assert.ok(
            coversRows(other.rows.map(plain), one.rows.map(plain)),
            `${question}: ${JSON.stringify([one.rows, other.rows])}`,
          );
        }
      });
    }
  }

  describe("PostgreSQL", { skip: withoutPostgres() }, () => {
    let server: ThrowawayPostgres;
    let warehouse: Warehouse;
    before(async () => {
      server = await startPostgres();
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      for (const set of SETS) {
        await client.query(`CREATE SCHEMA ${set}; SET search_path = ${set}`);
        for (const statement of statementsOf(TABLES[set as keyof typeof TABLES] ?? [])) await client.query(statement);
      }
      await client.end();
      const postgres = SETS.map((set) => ({
        name: ["acme", set] as const,
        connectionString: () => server.url,
        schema: set,
      }));
      warehouse = createWarehouse({ ...ELSEWHERE, postgres });
    });
    after(async () => {
      await warehouse.close();
      await server.stop();
    });
    answersAlike((set) => openComputed(warehouse, set, TABLES), /^$/);
  });

  describe("MariaDB", { skip: withoutMariaDb() }, () => {
    let server: ThrowawayMariaDb;
    let warehouse: Warehouse;
    before(async () => {
      server = await startMariaDb();
      const client = await createConnection(server.url);
      for (const set of SETS) {
        await client.query(`CREATE DATABASE ${set}`);
        await client.query(`USE ${set}`);
        for (const statement of statementsOf(TABLES[set as keyof typeof TABLES] ?? [])) await client.query(statement);
      }
      await client.end();
      const remote = SETS.map((set) => ({
        name: ["acme", set] as const,
        engine: "mysql" as const,
        connectionString: () => server.url,
      }));
      warehouse = createWarehouse({ ...ELSEWHERE, remote });
    });
    after(async () => {
      await warehouse.close();
      await server.stop();
    });
    // MySQL has no median.
    answersAlike((set) => openComputed(warehouse, set, TABLES), /median/);
  });
});

/** Truth values and times of day are written in other ways. */
function plain(row: readonly unknown[]): readonly unknown[] {
  return row.map((cell) => {
    if (cell === "true" || cell === true) return "1";
    if (cell === "false" || cell === false) return "0";
    return typeof cell === "string" ? cell.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d).*$/, "$1 $2") : cell;
  });
}
