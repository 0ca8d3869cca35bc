import { z } from "zod";
import { AGGREGATIONS, DIMENSION_TYPES, GRAINS, type ModelDefinition, UNITS } from "../model/model.ts";

const name = z.string().min(1);
const text = z.string().min(1);
const described = { label: text.optional(), description: text.optional(), synonyms: z.array(text).optional() };
const extensions = z.array(z.strictObject({ vendor: text, data: z.string() })).optional();
const span = z.strictObject({ count: z.number().int().positive(), unit: z.enum(UNITS) });
const filter = z.array(text).optional();

const dimension = z.strictObject({
  name,
  ...described,
  expr: text.optional(),
  dialects: z.record(z.string(), text).optional(),
  type: z.enum(DIMENSION_TYPES),
  grain: z.enum(GRAINS).optional(),
  values: z.array(z.string()).optional(),
  hidden: z.boolean().optional(),
  extensions,
});

const measure = z.strictObject({
  name,
  ...described,
  aggregation: z.enum(AGGREGATIONS),
  expr: text.optional(),
  filter: text.optional(),
  percentile: z.number().min(0).max(1).optional(),
  timeDimension: name.optional(),
  type: z.enum(DIMENSION_TYPES).optional(),
});

const dataset = z.strictObject({
  name,
  ...described,
  table: text.optional(),
  sql: text.optional(),
  keys: z.array(z.array(name).min(1)).default([]),
  timeDimension: name.optional(),
  dimensions: z.array(dimension).default([]),
  measures: z.array(measure).default([]),
  extensions,
});

const relationship = z.strictObject({
  name,
  ...described,
  from: name,
  to: name,
  columns: z.array(z.tuple([name, name])).min(1),
  cardinality: z.enum(["many_to_one", "one_to_one", "many_to_many"]),
  extensions,
});

const input = z.strictObject({
  metric: name,
  alias: name.optional(),
  filter,
  offset: span.optional(),
  offsetTo: z.enum(UNITS).optional(),
});

const anyMetric = { name, ...described, filter, hidden: z.boolean().optional(), extensions };
const metric = z.discriminatedUnion("kind", [
  z.strictObject({ ...anyMetric, kind: z.literal("simple"), measure: name, fill: z.number().optional() }),
  z.strictObject({ ...anyMetric, kind: z.literal("ratio"), numerator: input, denominator: input }),
  z.strictObject({ ...anyMetric, kind: z.literal("derived"), expression: text, inputs: z.array(input).min(1) }),
  z.strictObject({
    ...anyMetric,
    kind: z.literal("cumulative"),
    measure: name,
    window: span.optional(),
    toDate: z.enum(UNITS).optional(),
    fill: z.number().optional(),
  }),
]);

const schema = z.strictObject({
  name,
  description: text.optional(),
  instruction: text.optional(),
  datasets: z.array(dataset).min(1),
  relationships: z.array(relationship).default([]),
  metrics: z.array(metric).default([]),
  filters: z.array(z.strictObject({ name, ...described, expr: text })).default([]),
  glossary: z.array(z.strictObject({ term: text, meaning: text })).default([]),
  verifiedQuestions: z.array(z.strictObject({ question: text, sql: text })).default([]),
  extensions,
});

/** The form of a model file. */
export const ModelSchema = schema as unknown as z.ZodType<ModelDefinition>;
