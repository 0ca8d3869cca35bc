import assert from "node:assert/strict";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { DuckDBInstance } from "@duckdb/node-api";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { buildSemanticModel, type PlanRequest } from "#analytics";
import { createRulePlanners } from "#offline";
import { createWarehouse, type ResultSet, type SqlSource, type Warehouse } from "#warehouse";
import { COMPUTED_NOW, COMPUTED_TABLES, statementsOf, type WrittenTable } from "./computed-tables.ts";

const LIMITS = { maxRows: 5_000, maxBytes: 3_000_000, timeoutMs: 60_000 };
const { signal } = new AbortController();

type TableSets = Readonly<Record<string, readonly WrittenTable[]>>;

/** The rows of an answer and its doubts, or why there is none. */
export type Answer =
  | { readonly rows: ResultSet["rows"]; readonly doubts: readonly string[]; readonly text: string }
  | { readonly refused: string };

/** A set of tables behind the gate. */
export interface ComputedSet {
  /** `earlier`: the questions before it, the oldest first. */
  ask(question: string, ...earlier: readonly string[]): Promise<Answer>;
  rows(sql: string): Promise<ResultSet["rows"]>;
}

/** The sets in a DuckDB file each, in a folder. */
export async function computedOnDuckdb(folder: string, sets: TableSets = COMPUTED_TABLES): Promise<Warehouse> {
  const sources = Object.entries(sets).map(async ([set, tables]) => {
    const path = join(folder, `${set}.duckdb`);
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statementsOf(tables)) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
    return { name: ["acme", set] as const, path, schema: "main" };
  });
  return createWarehouse({
    sources: await Promise.all(sources),
    memory: "512MB",
    spillDir: join(folder, ".spill"),
  });
}

/** A set of tables as a data agent without a language model has it. */
export async function openComputed(
  warehouse: Warehouse,
  set: string,
  sets: TableSets = COMPUTED_TABLES,
): Promise<ComputedSet> {
  const tables = sets[set] ?? [];
  const tableReferences = tables.map(({ name }) => ({ projectId: "acme", datasetId: set, tableId: name }));
  const context = create(ContextSchema, {
    datasourceReferences: { references: { case: "bq", value: { tableReferences } } },
  });
  assert.ok(context.datasourceReferences);
  const source = (await warehouse.open(context.datasourceReferences)) as SqlSource;
  const model = await buildSemanticModel(source, context, signal);
  const { sql: planner } = createRulePlanners();
  const run = (sql: string) => source.query({ sql, limits: LIMITS, signal });
  return {
    rows: async (sql) => (await run(sql)).rows,
    async ask(question, ...earlier) {
      const past = earlier.map((one) => ({ question: one, answer: "", results: [] }));
      const asked = { past, examples: [], analysisAllowed: false };
      const request: PlanRequest = { ...asked, question, model, now: COMPUTED_NOW, signal };
      const plan = await planner.plan(request, []);
      if (plan.kind !== "query") return { refused: plan.kind === "reply" ? plan.text : plan.kind };
      const result = await run(plan.sql);
      const answer = await planner.answer(request, plan, [{ name: plan.name, sql: plan.sql, result }]);
      return { rows: result.rows, doubts: answer.warnings ?? [], text: answer.text };
    },
  };
}
