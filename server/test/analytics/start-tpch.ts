import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { buildSemanticModel } from "#analytics";
import { createWarehouse, type Warehouse } from "#warehouse";
import { interpretQuestion } from "../../src/offline/query-planner/interpret-question.ts";
import type { Interpretation, InterpretedQuery } from "../../src/offline/query-planner/interpretation.ts";
import { TPCH_INSTRUCTION } from "./tpch-data.ts";

/** The tables behind the gate, with what their author says of them. */
export interface Tpch {
  understand(question: string): InterpretedQuery;
  interpret(question: string): Interpretation;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

/** Every table of the benchmark. */
export const TPCH_TABLES = ["lineitem", "orders", "customer", "supplier", "part", "partsupp", "nation", "region"];
const LIMITS = { maxRows: 1000, maxBytes: 10_000_000, timeoutMs: 30_000 };
/** The day after the last order. */
const NOW = new Date("1998-08-02T00:00:00Z");

export async function startTpch(file: string, spillDir: string): Promise<Tpch> {
  const sources = [{ name: ["bench", "tpch"] as const, path: file, schema: "main" }];
  return openTpch(createWarehouse({ sources, memory: "1GB", spillDir }));
}

/** The same, where the tables are in the schema `public` of a PostgreSQL database. */
export async function startTpchOnPostgres(url: string): Promise<Tpch> {
  const postgres = [{ name: ["bench", "tpch"] as const, connectionString: () => url, schema: "public" }];
  return openTpch(createWarehouse({ sources: [], postgres, memory: "256MB", spillDir: "/nonexistent" }));
}

/** The same, where the tables are in the schema `tpch` of a MariaDB server. */
export async function startTpchOnMariaDb(url: string): Promise<Tpch> {
  const remote = [{ name: ["bench", "tpch"] as const, engine: "mysql" as const, connectionString: () => url }];
  return openTpch(createWarehouse({ sources: [], remote, memory: "256MB", spillDir: "/nonexistent" }));
}

async function openTpch(warehouse: Warehouse): Promise<Tpch> {
  const tableReferences = TPCH_TABLES.map((tableId) => ({ projectId: "bench", datasetId: "tpch", tableId }));
  const context = create(ContextSchema, {
    systemInstruction: TPCH_INSTRUCTION,
    datasourceReferences: { references: { case: "bq", value: { tableReferences } } },
  });
  const { signal } = new AbortController();
  assert.ok(context.datasourceReferences);
  const source = await warehouse.open(context.datasourceReferences);
  assert.ok(source.kind === "sql");
  const model = await buildSemanticModel(source, context, signal);
  const interpret = (question: string) => interpretQuestion([question], model, NOW);
  return {
    interpret,
    understand(question) {
      const interpretation = interpret(question);
      assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
      return interpretation.query;
    },
    rows: async (sql) => (await source.query({ sql, limits: LIMITS, signal })).rows,
    close: () => warehouse.close(),
  };
}
