import { Code, ConnectError, toStatusError } from "#status";
import type { Draft } from "../sketch/apply-changes.ts";
import { brokenCases, countsOf, isBetter, type Measured } from "./draft-problems.ts";

/** A draft that was tried. */
export interface TriedDraft<D extends Draft = Draft> {
  readonly draft: D;
  readonly measured: Measured;
}

/** What the next draft is written from. */
export interface Feedback<D extends Draft = Draft> {
  /** The best draft so far; undefined before the first that could be tried. */
  readonly best: TriedDraft<D> | undefined;
  /** The last draft, where there is no best one: what is right of it need not be written again. */
  readonly last: D | undefined;
  /** Why the last one was not taken, one sentence each. */
  readonly rejected: readonly string[];
}

/** How drafts are written and tried. */
interface Improvement<D extends Draft> {
  /** What there is already. Default: nothing. */
  readonly start?: TriedDraft<D>;
  readonly rounds: number;
  readonly propose: (feedback: Feedback<D>, signal: AbortSignal) => Promise<D>;
  readonly examine: (draft: D, signal: AbortSignal) => Promise<Measured>;
  /** Whether a draft that is as good as a start without errors is taken: what it mends cannot be measured. Default false. */
  readonly takesEqual?: boolean;
  readonly onRound?: (round: number, best: TriedDraft<D> | undefined) => Promise<void>;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface Improved<D extends Draft> {
  /** Undefined when no draft could be tried. */
  readonly best: TriedDraft<D> | undefined;
  /** Whether `best` is another one than the start. */
  readonly hasChanged: boolean;
  readonly rounds: number;
  /** Why the last draft was not taken. */
  readonly rejected: readonly string[];
  /** Why it ended before its rounds were used up; "" when it did not. */
  readonly stopped: string;
}

/** Rounds that warnings alone are worth. */
const ROUNDS_FOR_WARNINGS = 1;

/**
 * Writes drafts until one has no errors or the rounds are used up, and keeps the best. A draft is taken only when it breaks no case that passed
 * and is better than the best so far. A model that fails, or tokens that are spent, end it with what there is; rejects when there is nothing.
 */
export async function improve<D extends Draft>(improvement: Improvement<D>): Promise<Improved<D>> {
  const { rounds, propose, examine, signal, onRound, takesEqual = false } = improvement;
  let best = improvement.start;
  let last: D | undefined;
  let rejected: readonly string[] = [];
  let isOpen = takesEqual && best !== undefined && countsOf(best.measured)[0] === 0;
  let roundsForWarnings = 0;
  let round = 0;
  const ended = (stopped: string) => ({
    best,
    hasChanged: best !== improvement.start,
    rounds: round,
    rejected,
    stopped,
  });
  while (round < rounds) {
    if (best && !isOpen) {
      const [errors, warnings] = countsOf(best.measured);
      if (errors + warnings === 0) break;
      if (errors === 0 && roundsForWarnings++ >= ROUNDS_FOR_WARNINGS) break;
    }
    round += 1;
    await onRound?.(round, best);
    try {
      const draft = await propose({ best, last: best ? undefined : last, rejected }, signal);
      last = draft;
      rejected = draft.problems;
      if (rejected.length > 0) continue;
      const measured = await examine(draft, signal);
      rejected = reasonsAgainst(measured, best?.measured, isOpen);
      if (rejected.length > 0) continue;
      best = { draft, measured };
      isOpen = false;
    } catch (error) {
      signal.throwIfAborted();
      if (!best || !isOfTheModel(error)) throw error;
      return ended(toStatusError(error).rawMessage);
    }
  }
  return ended("");
}

/** Why a draft is not taken in place of the best; none when it is. */
function reasonsAgainst(measured: Measured, best: Measured | undefined, takesEqual: boolean): readonly string[] {
  if (!measured.isStorable) return measured.problems.map(({ text }) => `It cannot be stored: ${text}`);
  if (!best) return [];
  const broken = brokenCases(best, measured);
  if (broken.length > 0)
    return broken.map((name) => `It breaks the case '${name}', which passed before.${problemText(name, measured)}`);
  if (isBetter(measured, best) || (takesEqual && !isBetter(best, measured))) return [];
  const known = new Set(best.problems.map(({ key }) => key));
  const added = measured.problems.filter(({ key }) => !known.has(key)).map(({ text }) => text);
  return added.length > 0 ? added.map((text) => `It is no better: ${text}`) : ["It mends nothing of what is wrong."];
}

function problemText(name: string, { problems }: Measured): string {
  const found = problems.find(({ key }) => key === `case ${name}`);
  return found ? ` ${found.text}` : "";
}

/** Whether a draft that there is already is worth more than the error. */
function isOfTheModel(error: unknown): boolean {
  return error instanceof ConnectError && error.code !== Code.Internal;
}
