import { z } from "zod";
import { JsonSchema, TagsSchema } from "../files/test-values.ts";

const Cells = z.record(z.string(), JsonSchema);
const weight = z.number().min(0).optional().describe("0: reported, decides nothing. Default 1.");
const text = z.union([z.string(), z.number()]).transform(String);

/** The eight kinds of assertions about an answer. */
const AssertionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("text-contains"),
    value: text.describe("A part of the answer, in any case."),
    weight,
  }),
  z.strictObject({
    type: z.literal("query-contains"),
    value: text.describe("A part of a statement, in any case and spacing."),
    weight,
  }),
  z.strictObject({
    type: z.literal("data-check-row"),
    columns: Cells.describe("Cells that one row has, by column."),
    weight,
  }),
  z.strictObject({ type: z.literal("data-check-row-count"), value: z.int().min(0), weight }),
  z.strictObject({
    type: z.literal("chart-check-type"),
    value: z.string().describe("The mark of the chart: bar, line, …"),
    weight,
  }),
  z.strictObject({ type: z.literal("duration-max-ms"), value: z.number().positive(), weight }),
  z.strictObject({
    type: z.literal("looker-query-match"),
    params: Cells.describe("Fields of the Looker query."),
    weight,
  }),
  z.strictObject({
    type: z.literal("ai-judge"),
    value: z.string().min(1).describe("What a judge shall confirm."),
    weight,
  }),
]);

export type Assertion = z.output<typeof AssertionSchema>;

const GoldSchema = z.union([
  z.strictObject({ sql: z.string().min(1), ordered: z.boolean().optional() }),
  z.strictObject({ rows: z.array(Cells), ordered: z.boolean().optional() }),
]);

/** A question with what is expected of its answer. */
export const QuestionSchema = z.strictObject({
  name: z.string().optional().describe("As reports show it; default the question."),
  question: z.string().min(1),
  earlier: z.array(z.string().min(1)).optional().describe("Questions before it in the conversation."),
  tags: TagsSchema,
  expect: z.enum(["answer", "abstention"]).default("answer"),
  gold: GoldSchema.optional().describe("The right rows, or a statement that finds them."),
  assertions: z.array(AssertionSchema).default([]),
});

export type Question = z.output<typeof QuestionSchema>;

/** A suite of questions to a data agent. */
export const DataSuiteSchema = z.strictObject({
  $schema: z.string().optional(),
  questions: z.array(QuestionSchema).min(1),
});
