/** A question about a text, answered by a number of a scale. */
export interface JudgeQuestion {
  /** Which metric asks; part of the key under which a judgement is kept. */
  readonly metric:
    | "semantic-similarity"
    | "hallucination"
    | "user-goal"
    | "expectation"
    | "rubric"
    | "argument"
    | "milestone"
    | "user-simulation";
  /** What is asked, without the material: the rubric. */
  readonly rubric: string;
  /** What is judged: expected and observed text, or a transcript. */
  readonly material: string;
  /** The answers that the judge may give, each with its meaning. */
  readonly scale: ReadonlyMap<number, string>;
}

/** An answer of a judge, or why there is none. */
export type Judgement =
  | { readonly kind: "measured"; readonly score: number; readonly label: string; readonly explanation: string }
  | { readonly kind: "not-measured"; readonly reason: string };

/** Answers questions that no rule can decide. Never throws: a judge that fails or answers nonsense has not measured. */
export interface Judge {
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<Judgement>;
}

/** The judge of a server without a language model: it measures nothing, and says so (EVAL-8). */
export const NO_JUDGE: Judge = {
  ask: async () => ({
    kind: "not-measured",
    reason:
      "This metric needs a language model as judge, and the app's model is rules. Configure a model, or name one as judge.",
  }),
};
