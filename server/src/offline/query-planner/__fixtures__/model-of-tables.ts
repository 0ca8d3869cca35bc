import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { buildSemanticModel, type SemanticModel } from "#analytics";
import { createWarehouse, type SqlSource } from "#warehouse";

/** The semantic model of tables, and what they are in. */
interface ModelOfTables {
  readonly model: SemanticModel;
  close(): Promise<void>;
}

/** Opens tables, by name, that are given as CSV. */
export async function modelOfTables(tables: Readonly<Record<string, string>>): Promise<ModelOfTables> {
  const folder = mkdtempSync(join(tmpdir(), "tables-"));
  for (const [name, text] of Object.entries(tables)) writeFileSync(join(folder, `${name}.csv`), text);
  const sources = [{ name: ["acme", "d"] as const, path: folder }];
  const warehouse = createWarehouse({ sources, memory: "256MB", spillDir: join(folder, ".spill") });
  const tableReferences = Object.keys(tables).map((tableId) => ({ projectId: "acme", datasetId: "d", tableId }));
  const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
  const source = (await warehouse.open(references)) as SqlSource;
  const context = create(ContextSchema, { datasourceReferences: references });
  const model = await buildSemanticModel(source, context, new AbortController().signal);
  return {
    model,
    async close() {
      await warehouse.close();
      rmSync(folder, { recursive: true });
    },
  };
}
