import type { JsonObject } from "@bufbuild/protobuf";

/** A column of a table: its heading, and the text of a resource in JSON. */
type OutcomeColumn = readonly [heading: string, textOf: (resource: JsonObject) => string];

/** What came of evaluation runs, or of results, in columns of their own; none for other resources. */
export function outcomeColumns(resources: readonly JsonObject[]): readonly OutcomeColumn[] {
  const named = (pattern: RegExp) => resources.every(({ name }) => pattern.test(String(name)));
  if (named(/\/evaluationRuns\/[^/]+$/)) return OF_RUNS;
  return named(/\/evaluations\/[^/]+\/results\/[^/]+$/) ? OF_RESULTS : [];
}

const OF_RUNS: readonly OutcomeColumn[] = [
  ["STATE", ({ state }) => wordOf(state)],
  ["PASSED", (run) => String(countOf(run, "passedCount"))],
  ["FAILED", (run) => String(countOf(run, "failedCount"))],
  ["NOT MEASURED", (run) => String(notMeasured(run))],
  [
    "DID NOT RUN",
    (run) => String(countOf(run, "totalCount") - countOf(run, "completedCount") - countOf(run, "errorCount")),
  ],
];

const OF_RESULTS: readonly OutcomeColumn[] = [["VERDICT", verdictOf]];

/** Results of a run that were not measured are complete without an outcome, or errors. */
function notMeasured(run: JsonObject): number {
  const judged = countOf(run, "passedCount") + countOf(run, "failedCount");
  return countOf(run, "completedCount") + countOf(run, "errorCount") - judged;
}

function countOf({ progress }: JsonObject, field: string): number {
  return Number((progress as JsonObject | undefined)?.[field] ?? 0);
}

/** The verdict of a result; of one that has none its state. */
function verdictOf({ evaluationStatus, executionState }: JsonObject): string {
  if (evaluationStatus === "PASS") return "passed";
  if (evaluationStatus === "FAIL") return "failed";
  return evaluationStatus === "SKIPPED" ? "not measured" : wordOf(executionState);
}

/** An enum's value as a word. */
function wordOf(value: JsonObject[string] | undefined): string {
  return String(value ?? "")
    .toLowerCase()
    .replaceAll("_", " ");
}
