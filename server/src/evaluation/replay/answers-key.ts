import { createHash } from "node:crypto";
import type { EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import { evaluationOf } from "../runs/run-progress.ts";

/**
 * Where the answers of a case are kept: by its evaluation, the number of its repeat and the persona, so that repeats of one run are samples of
 * their own, and the same repeat of the next run finds its answers.
 */
export function answersKey({ name, persona }: EvaluationResult, repeat: number): string {
  const hash = createHash("sha256").update(JSON.stringify([evaluationOf(name), repeat, persona?.name ?? ""]));
  return `evaluation/answers/${hash.digest("hex")}`;
}

/** How many results of the same evaluation come before each result of a run, by name. */
export function repeatNumbers(results: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  return new Map(
    results.map((name) => {
      const evaluation = evaluationOf(name);
      const repeat = counts.get(evaluation) ?? 0;
      counts.set(evaluation, repeat + 1);
      return [name, repeat];
    }),
  );
}
