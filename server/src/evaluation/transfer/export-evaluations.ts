import { toJson } from "@bufbuild/protobuf";
import { type Evaluation, type EvaluationResult, EvaluationResultSchema } from "@frontdesk/protos/ces/evaluation";
import {
  type ExportEvaluationResultsRequest,
  type ExportEvaluationRunsRequest,
  type ExportEvaluationsRequest,
  type ExportOptions,
  ExportOptions_ExportFormat as Format,
} from "@frontdesk/protos/ces/evaluation_service";
import { appOfName, definedFields, type ObjectStorage } from "#base";
import { failedPrecondition, invalidArgument, notFound } from "#status";
import type { EvaluationResources } from "../contract.ts";
import { type EvaluationFile, writeEvaluationFile } from "./evaluation-file.ts";

type Resources = Pick<EvaluationResources, "read" | "results" | "resultsOf" | "runs">;

/** The content of one export, at most: it is part of the operation's response. */
const MAX_BYTES = 32 * 1024 * 1024;

const FIELD = "export_options.gcs_uri";

/** INVALID_ARGUMENT for a destination that is no address of an object. */
export function checkExport(
  { exportOptions }: { readonly exportOptions?: ExportOptions | undefined },
  objects: ObjectStorage,
): void {
  if (exportOptions?.gcsUri) objects.check(exportOptions.gcsUri, FIELD);
}

/** What an export needs. */
interface ExportDeps {
  readonly resources: Resources;
  readonly objects: ObjectStorage;
}

/** The content of an export, or the address that it was written to. */
type Exported = { readonly content: Uint8Array } | { readonly uri: string };

/** Writes the file of an export, where the request names a place for it. */
async function deliver(
  file: EvaluationFile,
  { exportOptions: options, parent }: { readonly exportOptions?: ExportOptions | undefined; readonly parent: string },
  objects: ObjectStorage,
): Promise<Exported> {
  const content = contentOf(file, options);
  if (!options?.gcsUri) return { content };
  const contentType = options.exportFormat === Format.YAML ? "application/yaml" : "application/json";
  await objects.write(options.gcsUri, content, { app: appOfName(parent), field: FIELD, contentType });
  return { uri: options.gcsUri };
}

/** INVALID_ARGUMENT when nothing is to be exported. */
export function checkIncludes({ includeEvaluations, includeEvaluationResults }: ExportEvaluationsRequest): void {
  if (includeEvaluations || includeEvaluationResults) return;
  const description = "Set include_evaluations, include_evaluation_results, or both.";
  throw invalidArgument({ field: "include_evaluations", description });
}

/** The content of ExportEvaluations. Evaluations that do not exist are named in `failedEvaluations`. */
export async function exportEvaluations(request: ExportEvaluationsRequest, { resources, objects }: ExportDeps) {
  const { evaluations } = await resources.read(request.parent);
  const byName = new Map(evaluations.map((evaluation) => [evaluation.name, evaluation]));
  const names = [...new Set(request.names)];
  const found = names.flatMap((name) => byName.get(name) ?? []);
  const evaluationResults = request.includeEvaluationResults ? await resultsOfAll(found, resources) : undefined;
  const exported = await deliver(
    {
      ...(request.includeEvaluations && { evaluations: found }),
      ...definedFields({ evaluationResults }),
    },
    request,
    objects,
  );
  const missing = names.filter((name) => !byName.has(name));
  return {
    evaluations:
      "uri" in exported
        ? ({ case: "evaluationsUri", value: exported.uri } as const)
        : ({ case: "evaluationsContent", value: exported.content } as const),
    failedEvaluations: Object.fromEntries(
      missing.map((name) => [name, `Evaluation '${name}' is not one of ${request.parent}.`]),
    ),
  } as const;
}

/** The results of evaluations, one after the other: an app can have far more than can be exported. */
async function resultsOfAll(
  evaluations: readonly Pick<Evaluation, "name">[],
  resources: Pick<Resources, "resultsOf">,
): Promise<readonly EvaluationResult[]> {
  const results: EvaluationResult[] = [];
  let length = 0;
  for (const { name } of evaluations) {
    for await (const result of resources.resultsOf(name)) {
      length += JSON.stringify(toJson(EvaluationResultSchema, result)).length;
      if (length > MAX_BYTES) throw tooLarge(`more than ${MAX_BYTES}`);
      results.push(result);
    }
  }
  return results;
}

/** The content of ExportEvaluationResults. NOT_FOUND for a result that the evaluation does not have. */
export async function exportEvaluationResults(
  request: ExportEvaluationResultsRequest,
  { resources, objects }: ExportDeps,
) {
  const evaluationResults = await resources.results(request.names);
  checkAllFound(request, evaluationResults, "ces.googleapis.com/EvaluationResult");
  const exported = await deliver({ evaluationResults }, request, objects);
  if ("uri" in exported) return { evaluationResults: { case: "evaluationResultsUri", value: exported.uri } } as const;
  return { evaluationResults: { case: "evaluationResultsContent", value: exported.content } } as const;
}

/** The content of ExportEvaluationRuns. NOT_FOUND for a run that the app does not have. */
export async function exportEvaluationRuns(request: ExportEvaluationRunsRequest, { resources, objects }: ExportDeps) {
  const evaluationRuns = await resources.runs(request.names);
  checkAllFound(request, evaluationRuns, "ces.googleapis.com/EvaluationRun");
  const exported = await deliver({ evaluationRuns }, request, objects);
  if ("uri" in exported) return { evaluationRuns: { case: "evaluationRunsUri", value: exported.uri } } as const;
  return { evaluationRuns: { case: "evaluationRunsContent", value: exported.content } } as const;
}

function checkAllFound(
  { parent, names }: { readonly parent: string; readonly names: readonly string[] },
  found: readonly { readonly name: string }[],
  type: string,
): void {
  const known = new Set(found.map(({ name }) => name).filter((name) => isBelow(name, parent)));
  const missing = names.find((name) => !known.has(name));
  if (missing !== undefined) throw notFound(missing, type);
}

/** Whether a resource is below a parent, which may be `…/evaluations/-`. */
function isBelow(name: string, parent: string): boolean {
  return name.startsWith(parent.endsWith("/-") ? parent.slice(0, -1) : `${parent}/`);
}

function contentOf(file: EvaluationFile, options: ExportOptions | undefined): Uint8Array {
  const content = writeEvaluationFile(file, options?.exportFormat ?? Format.JSON);
  if (content.length <= MAX_BYTES) return content;
  throw tooLarge(String(content.length));
}

function tooLarge(bytes: string) {
  return failedPrecondition(
    `The export has ${bytes} bytes; at most ${MAX_BYTES} are possible. Name fewer resources in each call.`,
  );
}
