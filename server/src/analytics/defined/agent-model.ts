import {
  FileFault,
  type ImportNote,
  importModel,
  type ModelDefinition,
  ModelFault,
  type ModelFormat,
  readModelFile,
  type SourceFile,
  writeModelFile,
} from "#semantics";
import { type FieldViolation, invalidArgument } from "#status";

/** Files of a model at most, and characters of all: they are parsed while others wait (CA-48). */
const MAX_FILES = 500;
const MAX_CHARACTERS = 2_000_000;
/** Characters of the model of an agent. */
const MAX_MODEL = 1_000_000;

/** A model as an agent keeps it. */
interface ImportedAgentModel {
  /** Our model file. */
  readonly text: string;
  readonly format: ModelFormat;
  /** What was not carried, with file and line. */
  readonly notes: readonly ImportNote[];
}

/** Reads a model of another product, or our own. INVALID_ARGUMENT with file and line where it is none. */
export function importAgentModel(files: readonly SourceFile[], name: string): ImportedAgentModel {
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  if (files.length > MAX_FILES || characters > MAX_CHARACTERS) {
    const limit = `at most ${MAX_FILES} files with ${MAX_CHARACTERS.toLocaleString("en")} characters`;
    throw invalidArgument({
      field: "files",
      description: `${files.length} files with ${characters.toLocaleString("en")} characters; ${limit}.`,
    });
  }
  const { model, notes, format } = orInvalid("files", () => importModel(files, name === "" ? {} : { name }));
  return { text: writeModelFile(model), format, notes };
}

/** What is wrong with the model of an agent; nothing where it has none. */
export function modelViolations(text: string, field: string): readonly FieldViolation[] {
  if (text === "") return [];
  if (text.length > MAX_MODEL) return [{ field, description: `At most ${MAX_MODEL} characters, not ${text.length}.` }];
  const fault = faultOf(() => readAgentModel(text));
  return fault === undefined ? [] : [{ field, description: fault }];
}

/** The model of an agent. Throws `FileFault` or `ModelFault`. */
export function readAgentModel(text: string): ModelDefinition {
  return readModelFile({ path: "semantic_model", text });
}

function orInvalid<Result>(field: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileFault || error instanceof ModelFault)
      throw invalidArgument({ field, description: error.message });
    throw error;
  }
}

function faultOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof FileFault || error instanceof ModelFault) return error.message;
    throw error;
  }
}
