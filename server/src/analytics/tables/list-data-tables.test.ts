import assert from "node:assert/strict";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ListDataTablesRequestSchema } from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceReferences } from "@frontdesk/protos/gda/datasource";
import { QueryError, type SqlSource, type TablePath } from "#warehouse";
import { listDataTables } from "./list-data-tables.ts";

const TABLES: readonly TablePath[] = [
  ["acme", "hr", "salaries"],
  ["acme", "shop", "orders"],
];

/** The login of one dataset may list its tables, and not read what they have. */
function openDataset({ references }: DatasourceReferences): SqlSource {
  const tables = references.case === "bq" ? references.value.tableReferences : [];
  const describe = async () => {
    if (tables[0]?.datasetId === "hr") throw new QueryError("permission", "The login may not read hr.");
    return tables.map(({ projectId, datasetId, tableId }) => ({ path: [projectId, datasetId, tableId], columns: [] }));
  };
  return { kind: "sql", describe } as unknown as SqlSource;
}

it("lists the other tables where a database lists some that it does not describe (CA-55)", async () => {
  const warehouse = {
    tables: async () => ({ tables: TABLES, unreachable: [] }),
    databaseOf: (path: TablePath) => path[1],
    open: async (references: DatasourceReferences) => openDataset(references),
  };
  const request = create(ListDataTablesRequestSchema, { parent: "projects/p/locations/us" });
  const { signal } = new AbortController();
  const deps = { warehouse, datasets: [], ruled: (one: SqlSource) => one, signal };
  const { dataTables, unreachableSources } = await listDataTables(request, deps);
  assert.deepEqual(
    dataTables?.map(({ reference }) => reference?.value),
    [{ projectId: "acme", datasetId: "shop", tableId: "orders" }],
  );
  assert.deepEqual(unreachableSources, [{ source: "acme.hr", message: "The login may not read hr." }]);
});
