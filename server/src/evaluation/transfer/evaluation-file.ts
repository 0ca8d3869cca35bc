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
import { stringify } from "yaml";
import { isJsonObject, thrownMessage } from "#base";
import type { EntryTexts, EntryValue } from "./entry-texts.ts";
import { itemsOf } from "./read-entries.ts";

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
interface FileEntries {
  readonly evaluations: readonly FileEntry<Evaluation>[];
  readonly evaluationResults: readonly FileEntry<EvaluationResult>[];
  readonly evaluationRuns: readonly FileEntry<EvaluationRun>[];
}

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

/** Reads the entries of a file that was exported from any app, for an app. What is wrong with one entry is that entry's problem. */
export async function readEvaluationFile(
  lists: Extract<EntryTexts, { kind: "file" }>["lists"],
  app: string,
): Promise<FileEntries> {
  return {
    evaluations: await entriesOf("evaluations", lists.evaluations, EvaluationSchema, app),
    evaluationResults: await entriesOf("evaluationResults", lists.evaluationResults, EvaluationResultSchema, app),
    evaluationRuns: await entriesOf("evaluationRuns", lists.evaluationRuns, EvaluationRunSchema, app),
  };
}

async function entriesOf<D extends DescMessage>(
  list: string,
  batches: readonly string[],
  desc: D,
  app: string,
): Promise<readonly FileEntry<MessageShape<D>>[]> {
  const entries: FileEntry<MessageShape<D>>[] = [];
  for await (const entry of itemsOf<EntryValue>(batches)) {
    const where = `${list}[${entries.length}]`;
    try {
      if ("problem" in entry) entries.push({ where, problem: entry.problem });
      else entries.push({ where, message: fromJson(desc, inApp(entry.value, app) as JsonValue) });
    } catch (error) {
      entries.push({ where, problem: thrownMessage(error) });
    }
  }
  return entries;
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
