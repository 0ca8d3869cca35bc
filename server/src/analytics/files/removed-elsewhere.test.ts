import assert from "node:assert/strict";
import { it } from "node:test";
import { type Logger, systemIds } from "#base";
import type { BlobStore, ForeignWrite, ResourceStore } from "#storage";
import type { Warehouse } from "#warehouse";
import { createDataFiles } from "./data-files.ts";

it("a file that another server removed and that cannot be read here is an error of the log, not of the process", async () => {
  let tell: (write: ForeignWrite | undefined) => void = () => assert.fail("nobody listens");
  const store = {
    onForeignWrite: (listener: typeof tell) => {
      tell = listener;
    },
    get: () => Promise.reject(new Error("the database is gone")),
  } as unknown as ResourceStore;
  const { promise: logged, resolve } = Promise.withResolvers<readonly unknown[]>();
  createDataFiles({
    store,
    blobs: {} as BlobStore,
    warehouse: {} as Warehouse,
    clock: { now: () => 0 },
    ids: systemIds,
    logger: { error: (...line: readonly unknown[]) => resolve(line) } as unknown as Logger,
  });
  const name = "projects/p/locations/us/dataFiles/upload_0a";
  tell({ kind: "resource", name });
  const [{ err, resource }, text] = (await logged) as [{ err: Error; resource: string }, string];
  assert.deepEqual(
    [err.message, resource, text],
    ["the database is gone", name, "data that another server removed could not be removed here"],
  );
});
