import type { Uploads } from "../contract.ts";
import type { Engines } from "../engines.ts";
import { hasUpload, removeAbandoned, removeUpload, writeConversions, writeUpload } from "./upload-folder.ts";

/** Uploaded files in a folder, which the embedded engine reads under its own limits. */
export function createUploads(folder: string, engines: Pick<Engines, "duckdb" | "openedDuckdb">): Uploads {
  removeAbandoned(folder);
  return {
    has: (dataset) => hasUpload(folder, dataset),
    write(dataset, file, bytes, conversions) {
      writeUpload(folder, dataset, file, bytes);
      writeConversions(folder, dataset, conversions);
    },
    convert: (dataset, conversions) => writeConversions(folder, dataset, conversions),
    tables: async (project, dataset) => (await (await engines.duckdb()).tables(project, dataset)).tables,
    async remove(dataset) {
      removeUpload(folder, dataset);
      await (await engines.openedDuckdb())?.forget(dataset);
    },
  };
}
