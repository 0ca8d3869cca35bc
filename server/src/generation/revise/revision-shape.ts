import { z } from "zod";
import { AppAndEvaluationsShape } from "../sketch/app-changes.ts";

const short = z.string().max(200);

const Question = z.object({
  question: z.string().max(2_000),
  options: z
    .array(z.object({ title: short, details: z.string().max(1_000).default(""), text: z.string().max(1_000) }))
    .max(6)
    .default([])
    .describe("Answers to choose from; text is what the person says by choosing."),
});

/** What a model answers a person who talks about an app: words, and changes where some are asked for. */
export const RevisionShape = AppAndEvaluationsShape.extend({
  explanation: z.string().max(4_000).default(""),
  reply: z.string().min(1).max(20_000).describe("What the person reads: plain text."),
  intent: short.default("").describe("What the person wants to make, in a few words."),
  suggestions: z.array(short).max(4).default([]).describe("What the person could say next."),
  questions: z.array(Question).max(3).default([]).describe("Only what has to be known before anything can be changed."),
});

export type RevisionAnswer = z.infer<typeof RevisionShape>;

/** Whether an answer changes anything of the app. */
export function hasChanges({ app, agents, tools, variables, goldens, scenarios, remove }: RevisionAnswer): boolean {
  const lists = [agents, tools, variables, goldens, scenarios, remove];
  return lists.some(({ length }) => length > 0) || Object.values(app).some((text) => text !== "");
}
