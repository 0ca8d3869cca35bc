import type { Evaluation_Scenario_Milestone as Milestone } from "@frontdesk/protos/ces/evaluation";
import type { Message } from "@frontdesk/protos/ces/example";
import type { Judge } from "../judge/judge.ts";
import { transcriptOf } from "../judge/transcript.ts";
import type { Verdict } from "../verdict.ts";

/** Where a simulation is: at one milestone after the other (EVAL-19). */
export class Milestones {
  readonly #milestones: readonly Milestone[];
  #position = 0;
  #turns = 0;

  constructor(milestones: readonly Milestone[]) {
    this.#milestones = milestones;
  }

  /** The milestone to reach; undefined when all are reached, or when there are none. */
  get current(): Milestone | undefined {
    return this.#milestones[this.#position];
  }

  /** Whether the user's next turn is the first at the present milestone. */
  get isAtStart(): boolean {
    return this.#turns === 0;
  }

  /** Whether every milestone is reached. True without milestones. */
  get allReached(): boolean {
    return this.#position >= this.#milestones.length;
  }

  /** Counts a turn. `passed` moves on, `failed` says that the present milestone had its last turn; undefined: go on with it. */
  async countTurn(
    conversation: readonly Message[],
    judge: Judge,
    signal: AbortSignal,
  ): Promise<MilestoneStep | undefined> {
    const { current } = this;
    if (!current) return undefined;
    this.#turns += 1;
    const step = await isReached(current, conversation, judge, signal);
    if (step.verdict === "passed") {
      this.#position += 1;
      this.#turns = 0;
      return step;
    }
    if (step.verdict === "not-measured") return step;
    return current.maxTurnCount > 0 && this.#turns >= current.maxTurnCount ? step : undefined;
  }
}

/** What came of a milestone. */
export interface MilestoneStep {
  readonly verdict: Verdict;
  readonly explanation: string;
}

/** A milestone without a criterion is reached by its turn. */
async function isReached(
  { goal, successCriteria }: Milestone,
  conversation: readonly Message[],
  judge: Judge,
  signal: AbortSignal,
): Promise<MilestoneStep> {
  if (successCriteria === "") return { verdict: "passed", explanation: "" };
  const judgement = await judge.ask(
    {
      metric: "milestone",
      rubric: `Goal: ${goal}\nIs this criterion met? ${successCriteria}`,
      material: transcriptOf(conversation),
      scale: SCALE,
    },
    signal,
  );
  if (judgement.kind === "not-measured") return { verdict: "not-measured", explanation: judgement.reason };
  return { verdict: judgement.score === 1 ? "passed" : "failed", explanation: judgement.explanation };
}

const SCALE: ReadonlyMap<number, string> = new Map([
  [1, "The criterion is met."],
  [0, "The criterion is not met yet."],
]);
