import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import { resourceId, resourceTitle } from "../../api/resource-names.ts";
import type { Verdict } from "./statistics.ts";

/** Columns of the matrix: more would not be read. */
const MOST_VERSIONS = 6;

/** A version that was evaluated. */
interface EvaluatedVersion {
  /** Id of the version; "" = the draft. */
  readonly id: string;
  readonly title: string;
}

/** The versions with results: the draft, then the versions in the order of the list (newest first), at most six. */
export function evaluatedVersions(
  evaluations: readonly Evaluation[],
  versions: readonly { readonly name: string; readonly displayName: string }[],
): readonly EvaluatedVersion[] {
  const ids = new Set(
    evaluations.flatMap(({ aggregatedMetrics }) =>
      (aggregatedMetrics?.metricsByAppVersion ?? []).map(({ appVersionId }) => appVersionId),
    ),
  );
  const named = versions
    .map((version) => ({ id: resourceId(version.name), title: resourceTitle(version) }))
    .filter(({ id }) => ids.has(id));
  const draft = ids.has("") ? [{ id: "", title: "Draft" }] : [];
  return [...draft, ...named].slice(0, MOST_VERSIONS);
}

/** The verdicts of the last run of an evaluation against a version, from its counts; none where it was not run. */
export function countedVerdicts({ aggregatedMetrics }: Evaluation, version: string): readonly Verdict[] {
  const metrics = aggregatedMetrics?.metricsByAppVersion.find(({ appVersionId }) => appVersionId === version);
  if (!metrics) return [];
  const { passCount, failCount } = metrics;
  if (passCount + failCount === 0) return ["not-measured"];
  return [
    ...Array.from({ length: passCount }, (): Verdict => "passed"),
    ...Array.from({ length: failCount }, (): Verdict => "failed"),
  ];
}
