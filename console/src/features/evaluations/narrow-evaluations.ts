import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import { resourceId } from "../../api/resource-names.ts";
import { wordFinder } from "../../components/word-finder.ts";
import type { EvaluationsSearch, LastRun } from "./evaluation-search.ts";
import { passRate } from "./statistics.ts";
import { countedVerdicts } from "./verdicts-by-version.ts";

/** The evaluations that a search asks for, in their order. `version`: id of the one whose last run is meant; "" = the draft. */
export function narrowEvaluations(
  evaluations: readonly Evaluation[],
  { words = "", tag, last }: EvaluationsSearch,
  version: string,
): readonly Evaluation[] {
  const isFound = wordFinder(words);
  return evaluations.filter((evaluation) => {
    if (tag !== undefined && !evaluation.tags.includes(tag)) return false;
    if (last !== undefined && lastRunOf(evaluation, version) !== last) return false;
    const { name, displayName, description, tags } = evaluation;
    return isFound([resourceId(name), displayName, description, ...tags].join("\n"));
  });
}

function lastRunOf(evaluation: Evaluation, version: string): LastRun {
  const verdicts = countedVerdicts(evaluation, version);
  const { n, passed } = passRate(verdicts);
  if (verdicts.length === 0) return "not-run";
  if (n === 0) return "not-measured";
  return passed < n ? "failed" : "passed";
}
