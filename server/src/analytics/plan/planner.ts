import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { ModelQuery } from "#semantics";
import type { ResultSet } from "#warehouse";
import type { ChartHint, SemanticModel } from "../contract.ts";
import type { DefinedModel } from "../defined/bind-model.ts";

/** An earlier turn of the conversation. */
export interface PastTurn {
  readonly question: string;
  /** The answer; "" for none. */
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
  /** The semantic model that the author of the data agent defined. Default none. */
  readonly defined?: DefinedModel;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/** Draws an earlier result another way, or analyzes it. */
export interface RedrawPlan {
  readonly kind: "redraw";
  readonly chart?: ChartHint;
  /** Name of the earlier result; absent: the last one. */
  readonly result?: string;
  readonly analysis?: string;
}

/** The plan for a question. */
export type Plan =
  | {
      readonly kind: "query";
      readonly name: string;
      readonly sql: string;
      /** How the question was understood: a THOUGHT message before the SQL. */
      readonly reasoning: string;
      readonly chart?: ChartHint;
      /** What to compute from the rows in Python; absent: nothing. */
      readonly analysis?: string;
      /** What of the question was assumed or not understood; absent where the planner cannot tell. */
      readonly doubts?: readonly string[];
      /** Where the SQL comes from (SEM-10, SEM-14). Default: nobody says. */
      readonly origin?: PlanOrigin;
    }
  | RedrawPlan
  | { readonly kind: "reply"; readonly text: string; readonly followUps: readonly string[] };

/** Compiled from the semantic model, as told in words; verified by a person, perhaps as a query of the model; or written without both. */
type PlanOrigin =
  | { readonly kind: "semantic-model"; readonly words: string; readonly query: ModelQuery }
  | { readonly kind: "verified"; readonly query?: ModelQuery }
  | { readonly kind: "outside"; readonly by: "rules" | "language-model" };

/** A failed statement with the error of the statement check or the engine. */
export interface FailedAttempt {
  readonly sql: string;
  readonly error: string;
}

export interface PlannedAnswer {
  readonly text: string;
  readonly followUps: readonly string[];
  /** Doubts about the answer, which the text tells as well (CA-37). Default none. */
  readonly warnings?: readonly string[];
}

/** Turns questions into SQL and rows into words: a language model, or the rules. */
export interface Planner {
  /** Display name: the label of the model. */
  readonly label: string;
  /** Whether it plans again after an empty result: a literal or a join may be wrong. */
  readonly retriesEmptyResults?: boolean;
  /** The warning for the user while the rules answer in place of this planner. */
  readonly warning?: string | undefined;
  /** With `failed` attempts: another statement, or a reply when there is none. */
  plan(request: PlanRequest, failed: readonly FailedAttempt[]): Promise<Plan>;
  /** The answer in words. */
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

/** Rows that the turn, or one before it, has read, under the name that its plan gave them. */
export interface NamedResult {
  readonly name: string;
  readonly sql: string;
  readonly result: ResultSet;
}
