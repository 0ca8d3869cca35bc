import type { z } from "zod";
import type { AppTree } from "#resources";
import { generationFailed } from "../../author/author.ts";
import { listPart, type MaterialPart, materialOf } from "../../author/material.ts";
import { withoutKnown } from "../../improve/draft-problems.ts";
import { improve } from "../../improve/improve.ts";
import { differences } from "../../report/differences.ts";
import type { Draft } from "../../sketch/apply-changes.ts";
import { shownApp } from "../../sketch/shown-app.ts";
import { authorOf, examined, explanationPartsOf } from "../drafting.ts";
import type { JobResult, Work } from "../job.ts";
import { type RefinedResource, responseOf, withResource } from "./refined-resource.ts";

/** How one resource is written anew. */
interface Rewriting<Shape extends z.ZodType<{ readonly explanation: string }>> {
  readonly resource: RefinedResource;
  readonly base: AppTree;
  readonly caller: string;
  readonly task: string;
  readonly material: readonly MaterialPart[];
  readonly shape: Shape;
  /** The resource with an answer in it, and what the answer lacks. */
  readonly rewrite: (
    resource: RefinedResource,
    answer: z.infer<Shape>,
  ) => { readonly resource: RefinedResource; readonly problems: readonly string[] };
}

interface ResourceDraft extends Draft {
  readonly resource: RefinedResource;
}

/** Has one resource written anew, until it adds no fault to the app or the rounds are used up. Nothing else of the app changes. */
export async function rewriteResource<Shape extends z.ZodType<{ readonly explanation: string }>>(
  { resource, base, caller, task, material, shape, rewrite }: Rewriting<Shape>,
  work: Work,
): Promise<JobResult> {
  const id = work.ids.uuid();
  const given = withResource(base, resource, id);
  const trying = { work, scope: { base }, goldens: "none" as const };
  const before = await examined(given, trying);
  const outcome = await improve<ResourceDraft>({
    rounds: work.limits.rounds,
    signal: work.signal,
    onRound: (round) => work.progress(`Writing draft ${round}.`),
    propose: async ({ best, rejected }) => {
      const wrong = best?.measured.problems.map(({ text }) => text) ?? [];
      const parts = [["app", shownApp(given)] as const, listPart("wrong", [...wrong, ...rejected])];
      const assignment = { caller, system: task, material: materialOf([...material, ...parts]), shape };
      const answer = await authorOf(work).write(assignment, work.signal);
      const written = rewrite(resource, answer);
      const tree = withResource(base, written.resource, id);
      return { ...written, tree, explanation: answer.explanation };
    },
    examine: async ({ tree }) => withoutKnown(await examined(tree, trying), before),
  });
  const { best } = outcome;
  if (!best) throw generationFailed(`No draft could be stored. ${outcome.rejected.slice(0, 10).join(" ")}`);
  return {
    resource: responseOf(best.draft.resource),
    explained: {
      ...explanationPartsOf({ ...outcome, best, base: before }),
      changes: differences(given, best.draft.tree),
    },
  };
}
