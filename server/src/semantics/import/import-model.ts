import { FileFault, readLocated, type SourceFile } from "../files/located.ts";
import { readModelFile } from "../files/model-file.ts";
import { createNotes } from "../files/notes.ts";
import { validateModel } from "../model/validate-model.ts";
import { ModelFault } from "../query/model-query.ts";
import type { ImportedModel, Importer, ImportOptions, ModelFormat } from "./contract.ts";
import { readCube } from "./cube/read-cube.ts";
import { readLookml } from "./lookml/read-lookml.ts";
import { isManifest } from "./metricflow/manifest.ts";
import { readMetricflow } from "./metricflow/read-metricflow.ts";
import { importOsi } from "./osi/osi.ts";
import { readSnowflake } from "./snowflake/read-snowflake.ts";

/**
 * Reads a model of another product, or our own. All files are of one format, which is found by what they say. Throws `FileFault`
 * or `ModelFault`; what can be read but not carried is a note (SEM-7).
 */
export function importModel(files: readonly SourceFile[], options: ImportOptions = {}): ImportedModel {
  const read = files.filter(({ path }) => !isManifest(path));
  const formats = read.map((file) => ({ file, format: formatOf(file) }));
  const known = [...new Set(formats.flatMap(({ format }) => format ?? []))];
  const [format, other] = known;
  if (!format)
    throw new FileFault(
      `no file is a semantic model: ${files.map(({ path }) => path).join(", ") || "there are no files"}`,
    );
  if (other) {
    const seen = known.map((one) => `${formats.find((each) => each.format === one)?.file.path} (${one})`);
    throw new FileFault(`the files are of several formats, ${seen.join(" and ")}; import one of them`);
  }
  const notes = createNotes();
  const manifests = files.filter(({ path }) => isManifest(path));
  const own =
    format === "metricflow" ? [...read, ...manifests] : formats.filter((each) => each.format).map(({ file }) => file);
  const model = IMPORTERS[format](own, options, notes);
  const faults = validateModel(model);
  if (faults.length > 0)
    throw new ModelFault([...faults, ...notes.all.map(({ file, line, message }) => `${file}:${line}: ${message}`)]);
  return { model, format, notes: notes.all };
}

const IMPORTERS: Readonly<Record<ModelFormat, Importer>> = {
  frontdesk: ([file]) => readModelFile(file as SourceFile),
  osi: importOsi,
  metricflow: readMetricflow,
  snowflake: readSnowflake,
  cube: readCube,
  lookml: readLookml,
};

/** By the keys at the top, which no two formats share. */
function formatOf(file: SourceFile): ModelFormat | undefined {
  if (file.path.endsWith(".lkml")) return "lookml";
  const document = readLocated(file);
  const has = (key: string) => document.get(key) !== undefined;
  if (has("semantic_model")) return "osi";
  if (has("semantic_models")) return "metricflow";
  if (has("cubes") || (has("views") && !has("models"))) return "cube";
  if (
    document
      .get("tables")
      ?.items()
      .some((table) => table.get("base_table"))
  )
    return "snowflake";
  const [dataset] = document.get("datasets")?.items() ?? [];
  if (dataset) return dataset.get("source") ? "osi" : "frontdesk";
  return has("metrics") || has("models") || has("saved_queries") ? "metricflow" : undefined;
}
