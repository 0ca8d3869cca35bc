import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, Warehouse } from "../../contract.ts";
import { createWarehouse } from "../../create-warehouse.ts";
import type { RemoteMapping, WarehouseConfig } from "../../mapping/warehouse-config.ts";

export const LIMITS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 5_000 };

/** A warehouse without files. */
export function warehouseOf(databases: Pick<WarehouseConfig, "postgres" | "remote">): Warehouse {
  return createWarehouse({ sources: [], ...databases, memory: "256MB", spillDir: "/nonexistent" });
}

/** Opens tables by their names in a dataset. */
export async function openTables(
  warehouse: Warehouse,
  [projectId, datasetId]: readonly [project: string, dataset: string],
  tables: readonly string[],
): Promise<SqlSource> {
  const tableReferences = tables.map((tableId) => ({ projectId, datasetId, tableId }));
  const source = await warehouse.open(
    create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } }),
  );
  assert.ok(source.kind === "sql");
  return source;
}

/** Opens tables of `acme.eu.main.crm`, a database of an instance. `engine`: 1 is PostgreSQL, 2 is MySQL. */
export async function openInstanceTables(
  warehouse: Warehouse,
  tableIds: string[],
  engine: number,
  viewParameters: Readonly<Record<string, string>> = {},
): Promise<SqlSource> {
  const names = { projectId: "acme", region: "eu", instanceId: "main", databaseId: "crm" };
  const value = { databaseReference: { ...names, engine, tableIds } };
  const references = create(DatasourceReferencesSchema, { references: { case: "cloudSqlReference", value } });
  const source = await warehouse.open(references, undefined, viewParameters);
  assert.ok(source.kind === "sql");
  return source;
}

/** Opens tables of the dataset `acme.web` in one database. */
export async function openRemoteTables(
  engine: RemoteMapping["engine"],
  connectionString: string,
  tables: readonly string[],
): Promise<{ readonly source: SqlSource; readonly warehouse: Warehouse }> {
  const warehouse = warehouseOf({
    remote: [{ name: ["acme", "web"], engine, connectionString: () => connectionString }],
  });
  return { warehouse, source: await openTables(warehouse, ["acme", "web"], tables) };
}
