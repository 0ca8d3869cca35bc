import { z } from "zod";
import type { Assisted, Revision } from "../contract.ts";

const short = z.string().transform((text) => text.slice(0, 200));

/** What the assistant shows by `ask_person`, a question with answers to choose from. */
const Asked = z.object({
  question: z.string().min(1).max(2_000),
  options: z
    .array(z.object({ title: short, details: z.string().max(1_000).default(""), text: z.string().max(1_000) }))
    .max(6)
    .default([]),
});

/** What it shows by `suggest_replies`. */
const Suggested = z.object({
  intent: short.default(""),
  replies: z
    .array(short)
    .transform((list) => list.slice(0, 4))
    .default([]),
});

/** Questions at most. */
const MAX_QUESTIONS = 3;

/** What the assistant shows a person beside its words. A call of another shape shows nothing. */
export function shownCalls(calls: Assisted["calls"]): Pick<Revision, "intent" | "suggestions" | "questions"> {
  const of = <Shape extends z.ZodType>(name: string, shape: Shape): readonly z.infer<Shape>[] =>
    calls.flatMap((call) => {
      if (call.name !== name) return [];
      const { success, data } = shape.safeParse(call.args);
      return success ? [data] : [];
    });
  const last = of("suggest_replies", Suggested).at(-1);
  return {
    intent: last?.intent ?? "",
    suggestions: last?.replies ?? [],
    questions: of("ask_person", Asked).slice(0, MAX_QUESTIONS),
  };
}
