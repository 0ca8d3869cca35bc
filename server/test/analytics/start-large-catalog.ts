import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { DuckDBInstance } from "@duckdb/node-api";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import { buildSemanticModel, type SemanticModel } from "#analytics";
import { createWarehouse, type Warehouse } from "#warehouse";
import { LARGE_CATALOG_ROWS, largeCatalog, largeCatalogTables } from "./large-catalog.ts";
import { copyVegaTables, VEGA_TABLES } from "./vega-tables.ts";

/** A database of 2,000 tables beside a folder of files, in one context. */
export interface LargeCatalog {
  readonly warehouse: Warehouse;
  readonly context: Context;
  readonly model: SemanticModel;
  close(): Promise<void>;
}

export async function startLargeCatalog(): Promise<LargeCatalog> {
  const folder = mkdtempSync(join(tmpdir(), "large-"));
  const file = join(folder, "large.duckdb");
  await writeCatalog(file);
  copyVegaTables(join(folder, "vega"));
  const warehouse = createWarehouse({
    sources: [
      { name: ["acme"], path: file },
      { name: ["acme", "vega"], path: join(folder, "vega") },
    ],
    memory: "1GB",
    spillDir: join(folder, "spill"),
  });
  const vega = Object.keys(VEGA_TABLES).map((table) => ["vega", table] as const);
  const tableReferences = [...largeCatalogTables(), ...vega].map(([datasetId, tableId]) => ({
    projectId: "acme",
    datasetId,
    tableId,
  }));
  const context = create(ContextSchema, {
    datasourceReferences: { references: { case: "bq", value: { tableReferences } } },
  });
  const source = context.datasourceReferences && (await warehouse.open(context.datasourceReferences));
  if (source?.kind !== "sql") throw new Error("the catalog is read by SQL");
  const model = await buildSemanticModel(source, context, new AbortController().signal);
  return {
    warehouse,
    context,
    model,
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function writeCatalog(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(["BEGIN", ...largeCatalog(), ...LARGE_CATALOG_ROWS, "COMMIT"].join(";\n"));
  connection.closeSync();
  instance.closeSync();
}
