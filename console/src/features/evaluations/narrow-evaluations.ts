import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import { resourceId } from "../../api/resource-names.ts";
import { passRate } from "./statistics.ts";
import { countedVerdicts } from "./verdicts-by-version.ts";

/** What came of the last run of an evaluation: of its repeats some failed, none failed and some were measured, none was measured, or it never ran. */
const LAST_RUNS = ["failed", "passed", "not-measured", "not-run"] as const;
export type LastRun = (typeof LAST_RUNS)[number];

/** Which evaluations a list shows: the query parameters of its page. Absent: all. */
export interface EvaluationsSearch {
  /** Words in the name, id, description or tags, in any order and case. */
  readonly words?: string;
  readonly tag?: string;
  readonly last?: LastRun;
}

/** Reads the query of the page of evaluations; anything else in it is left out. */
export function readEvaluationsSearch({ words, tag, last }: Record<string, unknown>): EvaluationsSearch {
  return { words: textOf(words), tag: textOf(tag), last: LAST_RUNS.find((known) => known === last) };
}

/** The router reads what looks like a number or a truth value as one. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "" || typeof value === "object") return undefined;
  return String(value);
}

/** The evaluations that a search asks for, in their order. `version`: id of the one whose last run is meant; "" = the draft. */
export function narrowEvaluations(
  evaluations: readonly Evaluation[],
  { words = "", tag, last }: EvaluationsSearch,
  version: string,
): readonly Evaluation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return evaluations.filter((evaluation) => {
    if (tag !== undefined && !evaluation.tags.includes(tag)) return false;
    if (last !== undefined && lastRunOf(evaluation, version) !== last) return false;
    const { name, displayName, description, tags } = evaluation;
    const text = [resourceId(name), displayName, description, ...tags].join("\n").toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

function lastRunOf(evaluation: Evaluation, version: string): LastRun {
  const verdicts = countedVerdicts(evaluation, version);
  const { n, passed } = passRate(verdicts);
  if (verdicts.length === 0) return "not-run";
  if (n === 0) return "not-measured";
  return passed < n ? "failed" : "passed";
}
