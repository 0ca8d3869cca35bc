import type { ImportNote, SourceFile } from "../files/located.ts";
import type { Notes } from "../files/notes.ts";
import type { ModelDefinition } from "../model/model.ts";

const FORMATS = ["frontdesk", "osi", "metricflow", "snowflake", "cube", "lookml"] as const;
export type ModelFormat = (typeof FORMATS)[number];

/** A model of another product in our form. */
export interface ImportedModel {
  readonly model: ModelDefinition;
  readonly format: ModelFormat;
  /** What was not carried, with file and line. */
  readonly notes: readonly ImportNote[];
}

/** Reads the files of one format. */
export type Importer = (files: readonly SourceFile[], options: ImportOptions, notes: Notes) => ModelDefinition;

export interface ImportOptions {
  /** Name of the model. Default: what the files say, else "model". */
  readonly name?: string;
}
