import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { Explore, LookerResult } from "#warehouse";
import type { ChartHint } from "../contract.ts";
import type { NamedResult, PastTurn, PlannedAnswer, RedrawPlan } from "../plan/planner.ts";

/** A question to explores with everything that may help to answer it. */
export interface LookerPlanRequest {
  readonly question: string;
  readonly past: readonly PastTurn[];
  readonly explores: readonly Explore[];
  /** The author's instruction, "" for none. */
  readonly instruction: string;
  /** Authored questions with their queries. */
  readonly golden: readonly GoldenQuery[];
  readonly analysisAllowed: boolean;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** A question that the author answered with a Looker query. */
export interface GoldenQuery {
  readonly question: string;
  readonly query: LookerQuery;
}

/** The plan for a question. Each question is answered from one explore. */
export type LookerPlan =
  | {
      readonly kind: "query";
      /** Name of the result, snake_case. */
      readonly name: string;
      readonly query: LookerQuery;
      readonly reasoning: string;
      readonly chart?: ChartHint;
      /** What to compute from the rows in Python; absent: nothing. */
      readonly analysis?: string;
    }
  | RedrawPlan
  | { readonly kind: "reply"; readonly text: string; readonly followUps: readonly string[] };

export type LookerQueryPlan = Extract<LookerPlan, { kind: "query" }>;

/** Turns questions into Looker queries and rows into words. */
export interface LookerPlanner {
  /** Whether the numbers of its answers must be verified: those of a language model. */
  readonly verifiesAnswers: boolean;
  /** With what failed before: another query, or a reply when there is none. */
  plan(request: LookerPlanRequest, failed: readonly FailedQuery[]): Promise<LookerPlan>;
  answer(request: LookerPlanRequest, plan: LookerQueryPlan, result: LookerResult): Promise<PlannedAnswer>;
  /** Python that computes what the instruction asks; "" where this planner writes none. */
  writeAnalysis(
    request: Pick<LookerPlanRequest, "signal">,
    instruction: string,
    results: readonly NamedResult[],
    failed: readonly { readonly code: string; readonly error: string }[],
  ): Promise<string>;
}

export interface FailedQuery {
  readonly query: LookerQuery;
  readonly error: string;
}
