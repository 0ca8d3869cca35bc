import type { AppTree } from "#resources";
import { generationFailed } from "../author/author.ts";
import { documentParts, listPart, materialOf } from "../author/material.ts";
import { examined } from "../configurations/drafting.ts";
import type { Work } from "../configurations/job.ts";
import type { Assisted, Proposal, Revision, RevisionRequest } from "../contract.ts";
import { withoutKnown } from "../improve/draft-problems.ts";
import { type Feedback, improve } from "../improve/improve.ts";
import { differences } from "../report/differences.ts";
import { patchOf } from "../report/patch.ts";
import type { Draft } from "../sketch/apply-changes.ts";
import { appOverview } from "../sketch/shown-app.ts";
import { shownCalls } from "./shown-calls.ts";

/** A draft as the assistant left it. */
interface RevisionDraft extends Draft {
  readonly answer: Assisted;
}

/** The newest messages that the assistant gets of a conversation. */
const MAX_MESSAGES = 40;

/**
 * Answers what was said last (GEN-13). What the assistant changes is a draft: it is tried and mended like every other, and what comes of it is a
 * proposal.
 */
export async function revise(request: RevisionRequest, base: AppTree, work: Work): Promise<Revision> {
  const speak = (feedback: Feedback<RevisionDraft>) => ask(request, base, feedback, work);
  await work.progress("Reading the app.");
  let first: Assisted | undefined = await speak({ best: undefined, last: undefined, rejected: [] });
  if (differences(base, first.tree).length === 0) return revisionOf(first, undefined);
  const options = { work, scope: { base }, goldens: undefined, leftOut: undefined };
  const known = await examined(base, options);
  const drafted = await improve<RevisionDraft>({
    rounds: work.limits.rounds,
    signal: work.signal,
    propose: async (feedback) => {
      const answer: Assisted = first ?? (await speak(feedback));
      first = undefined;
      return { tree: answer.tree, problems: [], explanation: answer.text, answer };
    },
    examine: async (draft) => withoutKnown(await examined(draft.tree, options), known),
    onRound: (round) => work.progress(round === 1 ? "Trying the change." : `Mending the change, round ${round}.`),
  });
  const { best, rejected, stopped } = drafted;
  if (!best) return failedRevision(rejected);
  const { draft, measured } = best;
  const notes = [
    ...measured.problems.map(({ text }) => text),
    ...measured.refused,
    ...(stopped === "" ? [] : [stopped]),
  ];
  const proposal = proposalOf(base, draft.tree, notes);
  if (proposal === "too-long") return failedRevision(["Its diff is too long to be judged. Ask for less at a time."]);
  return revisionOf(draft.answer, proposal);
}

/** An assistant that neither says nor asks nor changes anything has failed. */
function revisionOf({ text, calls }: Assisted, proposal: Proposal | undefined): Revision {
  const shown = shownCalls(calls);
  if (text.trim() === "" && shown.questions.length === 0 && !proposal)
    throw generationFailed("The assistant gave no answer that can be used.");
  return { ...shown, reply: text || (proposal ? "This is what I would change." : ""), proposal };
}

/** Undefined when the changes change nothing. */
function proposalOf(base: AppTree, tree: AppTree, notes: readonly string[]): Proposal | undefined | "too-long" {
  const found = differences(base, tree);
  if (found.length === 0) return undefined;
  const patch = patchOf(base, tree);
  return patch === undefined ? "too-long" : { base, tree, differences: found, patch, notes };
}

/** What the model wanted cannot be stored: the person reads why. */
function failedRevision(rejected: readonly string[]): Revision {
  const reasons = rejected.slice(0, 10).map((reason) => `- ${reason}`);
  const reply = ["No change that can be stored came of this. What is in the way:", ...reasons].join("\n");
  return { reply, intent: "", suggestions: [], questions: [], proposal: undefined };
}

/** Says to the assistant what was said last, or what is wrong with what it did. */
async function ask(
  { conversation, documents }: RevisionRequest,
  base: AppTree,
  { best, last, rejected }: Feedback<RevisionDraft>,
  work: Work,
): Promise<Assisted> {
  const before = best?.draft ?? last;
  const said = conversation.at(-1)?.text ?? "";
  const material = materialOf([
    ...documentParts(documents),
    listPart("wrong", best?.measured.problems.map(({ text }) => text) ?? []),
    listPart("taken_back", rejected),
  ]);
  const [past, message] = before
    ? [
        [...conversation, { role: "assistant" as const, text: before.answer.text || "The change is made." }],
        `${material}\n\n${MEND}`,
      ]
    : [conversation.slice(0, -1), [material, said].filter(Boolean).join("\n\n")];
  const draft = before?.tree ?? base;
  const { progress } = work;
  const trialServer = await work.trialServer();
  const request = { draft, overview: appOverview(draft), conversation: past.slice(-MAX_MESSAGES), message, progress };
  return trialServer.assist(request, work.signal);
}

const MEND =
  "Your change was tried. Mend what is listed as wrong; what is listed as taken back is not in the app any more. Then say again in full what you changed " +
  "since the person asked for it.";
