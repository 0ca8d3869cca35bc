import {
  FileFault,
  type ImportNote,
  importModel,
  ModelFault,
  type ModelFormat,
  readModelFile,
  type SourceFile,
  writeModelFile,
} from "#semantics";

/** Files to import, or the text of a model file to read. */
export type ModelJob =
  | { readonly kind: "import"; readonly files: readonly SourceFile[]; readonly name: string }
  | { readonly kind: "read"; readonly text: string };

/** A model as an agent keeps it. */
export interface ImportedAgentModel {
  /** Our model file. */
  readonly text: string;
  readonly format: ModelFormat;
  /** What was not carried, with file and line. */
  readonly notes: readonly ImportNote[];
}

/** `json`: the definition, as text, because the main thread reads JSON five times as fast as a copy of many objects. `fault`: what is wrong with the files. */
export type ModelAnswer =
  | { readonly kind: "imported"; readonly imported: ImportedAgentModel }
  | { readonly kind: "read"; readonly json: string }
  | { readonly kind: "fault"; readonly fault: string };

/** Does a job, in this thread. */
export function runModelJob(job: ModelJob): ModelAnswer {
  try {
    if (job.kind === "read") {
      const definition = readModelFile({ path: "semantic_model", text: job.text });
      return { kind: "read", json: JSON.stringify(definition) };
    }
    const { model, notes, format } = importModel(job.files, job.name === "" ? {} : { name: job.name });
    return { kind: "imported", imported: { text: writeModelFile(model), format, notes } };
  } catch (error) {
    if (error instanceof FileFault || error instanceof ModelFault) return { kind: "fault", fault: error.message };
    throw error;
  }
}
