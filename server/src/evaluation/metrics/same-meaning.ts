import type { Judge } from "../judge/judge.ts";
import { verdictOf } from "../verdict.ts";
import type { SameMeaning } from "./match-arguments.ts";

/** Decides `$matchType: semantic` by a judge. */
export function sameMeaningBy(judge: Judge, signal: AbortSignal): SameMeaning {
  return async (expected, observed) => {
    const judgement = await judge.ask(
      {
        metric: "argument",
        rubric: "Does the observed argument of a function call mean the same as the expected one?",
        material: `Expected:\n${expected}\n\nObserved:\n${observed}`,
        scale: new Map([
          [1, "It means the same."],
          [0, "It does not mean the same."],
        ]),
      },
      signal,
    );
    if (judgement.kind === "not-measured") return { verdict: "not-measured", explanation: judgement.reason };
    return { verdict: verdictOf(judgement.score === 1), explanation: judgement.explanation };
  };
}
