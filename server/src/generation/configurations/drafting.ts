import type { z } from "zod";
import type { AppTree } from "#resources";
import { type Author, generationFailed } from "../author/author.ts";
import { listPart, MATERIAL_IS_DATA, type MaterialPart, materialOf } from "../author/material.ts";
import { countsOf, type Measured, measured, withoutKnown } from "../improve/draft-problems.ts";
import { type Feedback, type Improved, improve, type TriedDraft } from "../improve/improve.ts";
import { MAX_GOLDENS_RUN } from "../limits.ts";
import type { ExplanationParts } from "../report/explanation.ts";
import type { AppChanges } from "../sketch/app-changes.ts";
import { applyChanges, type Draft, type Scope } from "../sketch/apply-changes.ts";
import { shownApp } from "../sketch/shown-app.ts";
import type { Work } from "./job.ts";

/** How an app is changed by a model, draft after draft. */
interface Drafting<Shape extends z.ZodType<AppChanges>> {
  readonly work: Work;
  readonly caller: string;
  /** What to write, and how. */
  readonly task: string;
  readonly material: readonly MaterialPart[];
  readonly shape: Shape;
  readonly scope: Scope;
  /** Rules of the linter that do not concern what is written. */
  readonly leftOut?: ReadonlySet<string>;
  /**
   * What is wrong with the app itself: `mend` it, so that only a draft is taken that is better; or `ignore` it, because something is added.
   * Default: the app is as empty as the draft is new.
   */
  readonly known?: "mend" | "ignore";
  /** Which goldens of a draft run. Default: all. */
  readonly goldens?: "new" | "none";
  /** Whether a draft may be as good as the app, where what it mends cannot be measured. Default false. */
  readonly takesEqual?: boolean;
}

/** Drafts of a model, tried and mended. */
interface Drafted extends Improved<Draft> {
  readonly best: TriedDraft;
  /** What is known of the app itself; undefined where it was not tried. */
  readonly base: Measured | undefined;
}

/** Has an app changed until nothing is wrong with it or the rounds are used up (GEN-4). UNAVAILABLE when no draft could be stored. */
export async function draftApp<Shape extends z.ZodType<AppChanges>>(drafting: Drafting<Shape>): Promise<Drafted> {
  const { work, scope, known, takesEqual = false } = drafting;
  const unchanged: Draft = { tree: scope.base, problems: [], explanation: "" };
  const base = known ? await examined(scope.base, drafting) : undefined;
  const drafted = await improve<Draft>({
    ...(known === "mend" && base ? { start: { draft: unchanged, measured: base } } : {}),
    rounds: work.limits.rounds,
    takesEqual,
    signal: work.signal,
    propose: (feedback) => propose(feedback, drafting),
    examine: async (draft) => {
      const found = await examined(draft.tree, drafting);
      return known === "ignore" && base ? withoutKnown(found, base) : found;
    },
    onRound: (round, best) => work.progress(roundText(round, best)),
  });
  const { best, rounds, rejected } = drafted;
  if (best) return { ...drafted, best, base };
  throw generationFailed(`No draft could be stored after ${rounds} rounds. ${rejected.slice(0, 10).join(" ")}`);
}

/** What the explanation says of drafts. */
export function explanationPartsOf({
  best,
  rounds,
  stopped,
  rejected,
}: Drafted): ExplanationParts & { readonly measured: Measured } {
  const { draft, measured } = best;
  const notes = [
    ...measured.refused,
    ...(stopped === "" ? [] : [`The generation ended early: ${stopped}`]),
    ...rejected.map((reason) => `The last draft was not taken. ${reason}`),
  ];
  return { explanation: draft.explanation, measured, notes, rounds };
}

/** Tries an app: what is wrong with it. */
export async function examined(
  tree: AppTree,
  { work, leftOut, goldens, scope }: Pick<Drafting<z.ZodType<AppChanges>>, "work" | "leftOut" | "goldens" | "scope">,
): Promise<Measured> {
  const trialServer = await work.trialServer();
  const left = new Set(goldens === "new" ? scope.base.evaluations.map(({ name }) => name) : []);
  const names = goldens === "none" ? [] : goldensOf(tree).filter((name) => !left.has(name));
  return measured(await trialServer.examine(tree, names.slice(-MAX_GOLDENS_RUN), work.signal), leftOut);
}

function goldensOf({ evaluations }: AppTree): readonly string[] {
  return evaluations.filter(({ inputs }) => inputs.case === "golden").map(({ name }) => name);
}

async function propose<Shape extends z.ZodType<AppChanges>>(
  { best, last, rejected }: Feedback,
  { work, caller, task, material, shape, scope }: Drafting<Shape>,
): Promise<Draft> {
  const tree = (best?.draft ?? last)?.tree ?? scope.base;
  const answer = await authorOf(work).write(
    {
      caller,
      system: `${task}\n\n${MATERIAL_IS_DATA}`,
      material: materialOf([
        ...material,
        ["app", shownApp(tree)],
        listPart("wrong", best?.measured.problems.map(({ text }) => text) ?? []),
        listPart("rejected_draft", rejected),
      ]),
      shape,
    },
    work.signal,
  );
  return applyChanges(tree, answer, scope, work.ids);
}

/** The model of a job that needs one. */
export function authorOf({ author }: Work): Author {
  if (author) return author;
  throw new Error("a job that needs a model was started without one");
}

function roundText(round: number, best: TriedDraft | undefined): string {
  if (!best) return `Writing draft ${round}.`;
  const [errors, warnings] = countsOf(best.measured);
  return `Writing draft ${round}: ${errors} errors and ${warnings} warnings are left.`;
}
