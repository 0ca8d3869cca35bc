import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { comparable } from "./comparable-rows.ts";
import { TPCH_TOLD } from "./fresh-tpch-doubts.ts";
import { TPCH_RIGHT } from "./fresh-tpch-questions.ts";
import { startTpch, type Tpch } from "./start-tpch.ts";
import { tpchStatements } from "./tpch-data.ts";
import { TPCH_QUESTIONS } from "./tpch-questions.ts";

describe("questions about TPC-H at scale 0.1, without a language model", () => {
  const folder = mkdtempSync(join(tmpdir(), "tpch-"));
  let tpch: Tpch;
  before(async () => {
    const file = join(folder, "tpch.duckdb");
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    for (const statement of tpchStatements(0.1)) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    tpch = await startTpch(file, join(folder, "spill"));
  });
  after(async () => {
    await tpch.close();
    rmSync(folder, { recursive: true });
  });

  for (const { question, sql } of TPCH_QUESTIONS) {
    it(`answers “${question}”`, async () => {
      const query = tpch.understand(question);
      assert.deepEqual(await tpch.rows(query.sql), await tpch.rows(sql));
    });
  }

  for (const [question, sql] of TPCH_RIGHT) {
    it(`answers “${question}”`, async () => {
      const [answered, byHand] = [await tpch.rows(tpch.understand(question).sql), await tpch.rows(sql)];
      assert.deepEqual(answered.map(comparable), byHand.map(comparable));
    });
  }

  for (const [question, words] of TPCH_TOLD) {
    it(`says of “${question}” what it does not know or had to assume`, () => {
      const found = tpch.interpret(question);
      assert.match(found.kind === "query" ? found.query.warnings.join(" ") : JSON.stringify(found), words);
    });
  }

  it("says what it left out where a question goes beyond the data", () => {
    const chosen = tpch.interpret("orders of unhappy customers by segment");
    assert.match(chosen.kind === "reply" ? chosen.text : "", /I do not understand “unhappy”/);
    const found = tpch.interpret("revenue by weather");
    assert.match(found.kind === "reply" ? found.text : "", /I know no “weather” to group by/);
  });
});
