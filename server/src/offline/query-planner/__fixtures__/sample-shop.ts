import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import { createWarehouse, type SqlSource, type TableSchema, type Warehouse, writeSample } from "#warehouse";
import { interpretQuestion } from "../interpret-question.ts";
import type { InterpretedQuery } from "../interpretation.ts";

/** When the questions are asked: the day after the last one of the data. */
export const NOW = new Date("2026-07-01T09:00:00Z");
const { signal } = new AbortController();

const MEASURES: Readonly<Record<string, SemanticTable["measures"]>> = {
  order_items: [
    { name: "revenue", expression: "SUM(quantity * unit_price - discount)", synonyms: ["sales"] },
    { name: "units sold", expression: "SUM(quantity)", synonyms: ["units"] },
  ],
};

/** The sample shop in DuckDB, as the rules see it. */
export interface SampleShop {
  readonly model: SemanticModel;
  /** The query that the rules make of the last question, asked after the others. */
  parsed(...questions: readonly string[]): InterpretedQuery;
  query(sql: string): ReturnType<SqlSource["query"]>;
  rowsOf(sql: string): Promise<Awaited<ReturnType<SqlSource["query"]>>["rows"]>;
  close(): Promise<void>;
}

/** Writes the data and opens it. */
export async function openSampleShop(): Promise<SampleShop> {
  const folder = mkdtempSync(join(tmpdir(), "sample-shop-"));
  await writeSample(join(folder, "shop.duckdb"), new Date("2026-06-30T00:00:00Z"));
  const sources = [{ name: ["acme", "shop"] as const, path: join(folder, "shop.duckdb") }];
  const warehouse = createWarehouse({ sources, memory: "512MB", spillDir: join(folder, "spill") });
  const model = await modelOf(await openShop(warehouse));
  const limits = { maxRows: 100_000, maxBytes: 10_000_000, timeoutMs: 10_000 };
  const query = (sql: string) => model.source.query({ sql, limits, signal });
  return {
    model,
    parsed(...questions) {
      const interpretation = interpretQuestion(questions, model, NOW);
      assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
      return interpretation.query;
    },
    query,
    rowsOf: async (sql) => (await query(sql)).rows,
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openShop(warehouse: Warehouse): Promise<SqlSource> {
  const tableReferences = ["orders", "order_items", "products", "stores", "customers"].map((tableId) => ({
    projectId: "acme",
    datasetId: "shop",
    tableId,
  }));
  const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
  const source = await warehouse.open(references);
  assert.ok(source.kind === "sql");
  return source;
}

async function modelOf(source: SqlSource): Promise<SemanticModel> {
  const schemas = await source.describe(signal);
  const tables = await Promise.all(schemas.map((schema) => tableOf(schema, source)));
  const relationships = schemas.flatMap(({ path, foreignKeys = [] }) =>
    foreignKeys.map(({ columns, table, referencedColumns }) => ({
      left: path,
      leftColumns: columns,
      right: table,
      rightColumns: referencedColumns,
    })),
  );
  return { source, tables, relationships, glossary: [], instruction: "" };
}

async function tableOf(schema: TableSchema, source: SqlSource): Promise<SemanticTable> {
  const columns = await Promise.all(
    schema.columns.map(async ({ name, type, description = "" }) => {
      const values = type === "STRING" ? await source.distinctValues(schema.path, name, 100, signal) : undefined;
      return { name, type, description, synonyms: [], tags: [], ...definedFields({ values }) };
    }),
  );
  return { schema, synonyms: [], tags: [], columns, measures: MEASURES[schema.path.at(-1) ?? ""] ?? [] };
}
