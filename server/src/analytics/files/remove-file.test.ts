import assert from "node:assert/strict";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DataFileSchema } from "@frontdesk/protos/gda/data_file";
import { createLogger, systemIds } from "#base";
import { unavailable } from "#status";
import type { BlobStore, ResourceRow, ResourceStore } from "#storage";
import type { Warehouse } from "#warehouse";
import { createDataFiles } from "./data-files.ts";
import { toFileRow } from "./file-rows.ts";

it("a file whose content cannot be removed stays, and is removed with its content the next time (CA-45)", async () => {
  const name = "projects/p/locations/us/dataFiles/upload_0a";
  const file = create(DataFileSchema, { name, displayName: "orders.csv" });
  const blob = "dataFiles/upload_0a/sum";
  const rows = new Map<string, ResourceRow>([[name, toFileRow({ file, fileName: "orders.csv", blob, etag: "1" })]]);
  const contents = new Set([blob]);
  let away = true;
  const files = createDataFiles({
    store: {
      get: async (asked: string) => rows.get(asked),
      list: async () => ({ rows: [] }),
      write: async (writes: readonly { readonly name: string }[]) => {
        for (const write of writes) rows.delete(write.name);
      },
    } as unknown as ResourceStore,
    blobs: {
      remove: async (key: string) => {
        if (away) throw unavailable("The bucket is away.");
        contents.delete(key);
      },
    } as unknown as BlobStore,
    warehouse: { uploads: { remove: async () => {} } } as unknown as Warehouse,
    clock: { now: () => 0 },
    ids: systemIds,
    logger: createLogger("silent"),
  });
  await assert.rejects(
    files.remove(name, false, () => true),
    /The bucket is away/,
  );
  assert.deepEqual([rows.size, contents.size], [1, 1]);
  away = false;
  await files.remove(name, false, () => true);
  assert.deepEqual([rows.size, contents.size], [0, 0]);
});
