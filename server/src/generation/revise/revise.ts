import type { AppTree } from "#resources";
import { documentParts, listPart, MATERIAL_IS_DATA, type MaterialPart, materialOf } from "../author/material.ts";
import { authorOf, examined } from "../configurations/drafting.ts";
import type { Work } from "../configurations/job.ts";
import type { Proposal, Revision, RevisionRequest } from "../contract.ts";
import { type Feedback, improve } from "../improve/improve.ts";
import { withoutKnown } from "../improve/wrongs.ts";
import { CHANGES_GUIDE, EVALUATION_GUIDE, INSTRUCTION_GUIDE, PYTHON_GUIDE } from "../prompts/guides.ts";
import { differences } from "../report/differences.ts";
import { patchOf } from "../report/patch.ts";
import { applyChanges, type Draft } from "../sketch/apply-changes.ts";
import { shownApp } from "../sketch/shown-app.ts";
import { hasChanges, type RevisionAnswer, RevisionShape } from "./revision-shape.ts";

interface RevisionDraft extends Draft {
  readonly answer: RevisionAnswer;
}

/** The newest messages that a model gets of a conversation. */
const MAX_MESSAGES = 40;

/**
 * Answers what was said last (GEN-13). An answer with changes is a draft: it is tried and mended like every other, and what comes of it is a
 * proposal.
 */
export async function revise(request: RevisionRequest, base: AppTree, work: Work): Promise<Revision> {
  const write = (feedback: Feedback<RevisionDraft>) => ask(request, base, feedback, work);
  await work.progress("Reading the app.");
  let first: RevisionAnswer | undefined = await write({ best: undefined, last: undefined, rejected: [] });
  if (!hasChanges(first)) return revisionOf(first, undefined);
  const options = { work, scope: { base }, goldens: undefined, leftOut: undefined };
  const known = await examined(base, options);
  const drafted = await improve<RevisionDraft>({
    rounds: work.limits.rounds,
    signal: work.signal,
    propose: async (feedback) => {
      const answer: RevisionAnswer = first ?? (await write(feedback));
      first = undefined;
      const tree = (feedback.best?.draft ?? feedback.last)?.tree ?? base;
      return { ...applyChanges(tree, answer, { base, confirmed: true }, work.ids), answer };
    },
    examine: async (draft) => withoutKnown(await examined(draft.tree, options), known),
    onRound: (round) => work.progress(round === 1 ? "Trying the change." : `Mending the change, round ${round}.`),
  });
  const { best, rejected, stopped } = drafted;
  if (!best) return failedRevision(rejected);
  const { draft, measured } = best;
  const notes = [...measured.wrongs.map(({ text }) => text), ...measured.refused, ...(stopped === "" ? [] : [stopped])];
  return revisionOf(draft.answer, proposalOf(base, draft.tree, notes));
}

function revisionOf(
  { reply, intent, suggestions, questions }: RevisionAnswer,
  proposal: Proposal | undefined,
): Revision {
  return { reply, intent, suggestions, questions, proposal };
}

/** Undefined when the changes change nothing. */
function proposalOf(base: AppTree, tree: AppTree, notes: readonly string[]): Proposal | undefined {
  const found = differences(base, tree);
  if (found.length === 0) return undefined;
  return { base, tree, differences: found, patch: patchOf(base, tree), notes };
}

/** What the model wanted cannot be stored: the person reads why. */
function failedRevision(rejected: readonly string[]): Revision {
  const reasons = rejected.slice(0, 10).map((reason) => `- ${reason}`);
  const reply = ["No change that can be stored came of this. What is in the way:", ...reasons].join("\n");
  return { reply, intent: "", suggestions: [], questions: [], proposal: undefined };
}

function ask(
  { conversation, documents }: RevisionRequest,
  base: AppTree,
  { best, last, rejected }: Feedback<RevisionDraft>,
  work: Work,
): Promise<RevisionAnswer> {
  const before = best?.draft ?? last;
  const material: readonly MaterialPart[] = [
    ["app", shownApp(before?.tree ?? base)],
    ...documentParts(documents),
    [
      "conversation",
      conversation
        .slice(-MAX_MESSAGES)
        .map(({ role, text }) => `${role}: ${text}`)
        .join("\n\n"),
    ],
    ["last_answer", before?.answer.reply ?? ""],
    listPart("wrong", best?.measured.wrongs.map(({ text }) => text) ?? []),
    listPart("rejected_draft", rejected),
  ];
  const system = [TASK, INSTRUCTION_GUIDE, PYTHON_GUIDE, EVALUATION_GUIDE, CHANGES_GUIDE, MATERIAL_IS_DATA].join(
    "\n\n",
  );
  return authorOf(work).write(
    { caller: "assistant", system, material: materialOf(material), shape: RevisionShape },
    work.signal,
  );
}

const TASK =
  "You help a person to build the app in <app>. Answer the last message of <conversation> in `reply`. If it asks for a change of the app, write the changes; " +
  "each entry is whole and replaces the one of its name. A person confirms them before they are stored, so say in `reply` what they do and never that they are " +
  "done. If it is only a question, change nothing. Ask in `questions` only what you must know. If <wrong> or <rejected_draft> list faults of your last answer, " +
  "mend them. Answer with JSON.";
