import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { ResultSet } from "#warehouse";
import type { ChartWish, SemanticModel } from "../contract.ts";

/** What was said in this conversation before the question. */
export interface PastTurn {
  readonly question: string;
  /** What was answered, "" when nothing was. */
  readonly answer: string;
  /** The results it showed, by name, with the SQL that made them; newest last. */
  readonly results: readonly PastResult[];
}

/** Rows that were shown, and what found them: SQL, or a Looker query. */
export interface PastResult {
  readonly name: string;
  /** "" for a Looker query. */
  readonly sql: string;
  readonly columns: readonly string[];
  readonly looker?: LookerQuery;
}

/** A question with everything that may help to answer it. */
export interface PlanRequest {
  readonly question: string;
  readonly past: readonly PastTurn[];
  readonly model: SemanticModel;
  /** Authored questions with their SQL, the nearest first. */
  readonly examples: readonly { readonly question: string; readonly sql: string }[];
  readonly analysisAllowed: boolean;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Rows that were shown before: drawn another way, or looked into. */
export interface RedrawPlan {
  readonly kind: "redraw";
  readonly chart?: ChartWish;
  /** Name of the earlier result; absent: the last one. */
  readonly result?: string;
  readonly analysis?: string;
}

/** What to do about a question. */
export type Plan =
  | {
      readonly kind: "query";
      readonly name: string;
      readonly sql: string;
      /** What was understood, and how it will be found: a thought, told before the SQL. */
      readonly reasoning: string;
      readonly chart?: ChartWish;
      /** What to compute from the rows in Python; absent: nothing. */
      readonly analysis?: string;
    }
  | RedrawPlan
  | { readonly kind: "reply"; readonly text: string; readonly followUps: readonly string[] };

/** An attempt that failed, and what the gate or the engine said of it. */
export interface FailedAttempt {
  readonly sql: string;
  readonly error: string;
}

export interface PlannedAnswer {
  readonly text: string;
  readonly followUps: readonly string[];
}

/** Whoever turns questions into SQL and rows into words: a language model, or the rules. */
export interface Planner {
  /** As shown to people: the model's label. */
  readonly label: string;
  /** Whether it is asked once more when nothing was found: a literal or a join may be wrong. */
  readonly reconsiders?: boolean;
  /** Set while somebody else answers in this planner's place: what the user is told of it. */
  readonly warning?: string | undefined;
  /** With `failed` attempts: another statement, or a reply when there is none. */
  plan(request: PlanRequest, failed: readonly FailedAttempt[]): Promise<Plan>;
  /** The rows told in words. */
  answer(
    request: PlanRequest,
    plan: Extract<Plan, { kind: "query" }>,
    results: readonly NamedResult[],
  ): Promise<PlannedAnswer>;
  /** Python that computes what the plan's analysis asks; undefined where this planner writes none. */
  writeAnalysis?(
    request: PlanRequest,
    instruction: string,
    results: readonly NamedResult[],
    failed: readonly { readonly code: string; readonly error: string }[],
  ): Promise<string>;
}

export interface NamedResult {
  readonly name: string;
  readonly sql: string;
  readonly result: ResultSet;
}
