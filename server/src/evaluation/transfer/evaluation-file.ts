import {
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  type MessageShape,
  toJson,
} from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  EvaluationResultSchema,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import { ExportOptions_ExportFormat as Format } from "@frontdesk/protos/ces/evaluation_service";
import { parse, stringify } from "yaml";
import { isJsonObject, type JsonObject } from "#base";
import { invalidArgument } from "#status";

/** What a file of evaluations contains. The lists have the names that ImportEvaluationsResponse gives them (EVAL-44). */
export interface EvaluationFile {
  readonly evaluations?: readonly Evaluation[];
  readonly evaluationResults?: readonly EvaluationResult[];
  readonly evaluationRuns?: readonly EvaluationRun[];
}

/** One entry of a file that was read: the message, or why it is none. */
export type FileEntry<M extends Message> =
  | { readonly where: string; readonly message: M }
  | { readonly where: string; readonly problem: string };

/** The entries of a file. */
export interface FileEntries {
  readonly evaluations: readonly FileEntry<Evaluation>[];
  readonly evaluationResults: readonly FileEntry<EvaluationResult>[];
  readonly evaluationRuns: readonly FileEntry<EvaluationRun>[];
}

const LISTS = ["evaluations", "evaluationResults", "evaluationRuns"] as const;

/** Writes a file in UTF-8. JSON unless YAML is asked for. */
export function writeEvaluationFile(
  { evaluations, evaluationResults, evaluationRuns }: EvaluationFile,
  format: Format,
): Uint8Array {
  const content = {
    ...(evaluations && { evaluations: evaluations.map((evaluation) => toJson(EvaluationSchema, evaluation)) }),
    ...(evaluationResults && {
      evaluationResults: evaluationResults.map((result) => toJson(EvaluationResultSchema, result)),
    }),
    ...(evaluationRuns && { evaluationRuns: evaluationRuns.map((run) => toJson(EvaluationRunSchema, run)) }),
  };
  const text = format === Format.YAML ? stringify(content) : `${JSON.stringify(content, null, 2)}\n`;
  return new TextEncoder().encode(text);
}

/** Whether a text is such a file, and not a table. */
export function isEvaluationFile(text: string): boolean {
  return /^\s*(\{|(evaluations|evaluationResults|evaluationRuns):)/.test(text);
}

/**
 * Reads a file that was exported from any app, for an app. INVALID_ARGUMENT when it is neither JSON nor YAML or has other lists; what is
 * wrong with one entry is that entry's problem.
 */
export function readEvaluationFile(text: string, app: string, field: string): FileEntries {
  const content = contentOf(text, field);
  const unknown = Object.keys(content).filter((key) => !(LISTS as readonly string[]).includes(key));
  if (unknown.length > 0) {
    const description = `'${unknown[0]}' is not a list of an evaluation file; those are ${LISTS.join(", ")}.`;
    throw invalidArgument({ field, description });
  }
  return {
    evaluations: entriesOf(content, "evaluations", EvaluationSchema, app, field),
    evaluationResults: entriesOf(content, "evaluationResults", EvaluationResultSchema, app, field),
    evaluationRuns: entriesOf(content, "evaluationRuns", EvaluationRunSchema, app, field),
  };
}

function contentOf(text: string, field: string): JsonObject {
  try {
    const content = text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text);
    if (isJsonObject(content)) return content;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw invalidArgument({ field, description: `is neither JSON nor YAML: ${why}` });
  }
  throw invalidArgument({ field, description: `must be an object with the lists ${LISTS.join(", ")}.` });
}

function entriesOf<D extends DescMessage>(
  content: JsonObject,
  list: (typeof LISTS)[number],
  desc: D,
  app: string,
  field: string,
): readonly FileEntry<MessageShape<D>>[] {
  const values = content[list] ?? [];
  if (!Array.isArray(values)) throw invalidArgument({ field, description: `'${list}' must be a list.` });
  return values.map((value, index) => {
    const where = `${list}[${index}]`;
    try {
      return { where, message: fromJson(desc, inApp(value, app) as JsonValue) };
    } catch (error) {
      return { where, problem: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** A resource with its own name, and every name of its app's resources, moved to another app. */
function inApp(value: unknown, app: string): unknown {
  const from = isJsonObject(value) && typeof value.name === "string" ? APP_NAME.exec(value.name)?.[0] : undefined;
  return from === undefined || from === app ? value : moved(value, from, app);
}

const APP_NAME = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+/;

function moved(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.startsWith(`${from}/`) ? to + value.slice(from.length) : value;
  if (Array.isArray(value)) return value.map((item) => moved(item, from, to));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, moved(item, from, to)]));
}
