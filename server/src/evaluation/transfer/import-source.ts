import { toJson } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  type EvaluationRun,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { ImportEvaluationsRequest } from "@frontdesk/protos/ces/evaluation_service";
import { createPauses } from "#base";
import { findPersonalData } from "#session";
import { invalidArgument, logFault, toStatusError } from "#status";
import { appNames } from "../app-names.ts";
import { generatedGolden } from "../generate/generate-evaluation.ts";
import { type FileEntry, readEvaluationFile } from "./evaluation-file.ts";
import { evaluationsFromCsv } from "./evaluations-from-csv.ts";
import { fileText } from "./file-text.ts";
import type { ImportDeps } from "./import-evaluations.ts";
import { readEntryTexts } from "./read-entries.ts";

/** What an import found in its source. */
export interface ImportSource {
  readonly evaluations: readonly FileEntry<Evaluation>[];
  readonly evaluationResults: readonly FileEntry<EvaluationResult>[];
  readonly evaluationRuns: readonly FileEntry<EvaluationRun>[];
  /** What was ignored. */
  readonly warnings: readonly string[];
}

/** A file in Cloud Storage, at most. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Reads the source of an import. INVALID_ARGUMENT or FAILED_PRECONDITION when that is impossible. */
export async function readImportSource(
  { parent, source }: ImportEvaluationsRequest,
  deps: ImportDeps,
  signal: AbortSignal,
): Promise<ImportSource> {
  if (source.case === "conversationList") return fromConversations(source.value.conversations, parent, deps);
  const bytes =
    source.case === "gcsUri"
      ? await deps.objects.read(source.value, { app: parent, field: "gcs_uri", maxBytes: MAX_BYTES, signal })
      : (source.value ?? new Uint8Array());
  const field = source.case === "gcsUri" ? "gcs_uri" : "csv_content";
  const file = fileText(bytes);
  if ("problem" in file) throw invalidArgument({ field, description: file.problem });
  const texts = await readEntryTexts(file.text);
  if (texts.kind === "unreadable") throw invalidArgument({ field, description: texts.description });
  if (texts.kind === "file") return { ...(await readEvaluationFile(texts.lists, parent)), warnings: [] };
  const { ref } = await deps.resources.snapshot(parent, "");
  const goldens = await evaluationsFromCsv(texts, appNames(ref.snapshot), field);
  return { ...goldens, evaluationResults: [], evaluationRuns: [] };
}

async function fromConversations(
  names: readonly string[],
  app: string,
  { resources, logger }: ImportDeps,
): Promise<ImportSource> {
  const evaluations: FileEntry<Evaluation>[] = [];
  const warnings: string[] = [];
  const pause = createPauses();
  for (const where of names) {
    try {
      if (!where.startsWith(`${app}/conversations/`))
        throw invalidArgument({ field: "name", description: `is not a conversation of ${app}.` });
      const message = await generatedGolden(where, resources);
      evaluations.push({ where, message });
      const kinds = personalKinds(message);
      if (kinds.length > 0)
        warnings.push(
          `${where}: the golden seems to have personal data (${kinds.join(", ")}). Write invented values in their place.`,
        );
    } catch (error) {
      logFault(error, logger, "a conversation could not be imported as an evaluation", { conversation: where });
      evaluations.push({ where, problem: toStatusError(error).rawMessage });
    }
    await pause();
  }
  return { evaluations, evaluationResults: [], evaluationRuns: [], warnings };
}

/** What of people an evaluation seems to have, in words (EVAL-110). */
function personalKinds(evaluation: Evaluation): readonly string[] {
  return [...new Set([...findPersonalData(toJson(EvaluationSchema, evaluation))].flatMap(({ kinds }) => kinds))];
}
