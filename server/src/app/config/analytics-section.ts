import { readFileSync } from "node:fs";
import { z } from "zod";
import { memberKey, memberProblem } from "#access";
import { type AccessRule, type Budgets, ConditionFault, type ResultCacheLimits, readCondition } from "#analytics";
import { definedFields } from "#base";
import { FileFault, type ModelDefinition, ModelFault, readModelFile } from "#semantics";
import { ConfigPath } from "./config-path.ts";
import { requireAllRead } from "./config-values.ts";

/** `50GB`, `1 TiB`: GB are 10^9 bytes, GiB 2^30. */
const SIZE = /^(\d+(?:\.\d+)?)\s?([KMGTP])(i?)B$/;

const TIB = 1024 ** 4;

const BUDGET = z
  .strictObject({
    bytes: z.string().regex(SIZE, "must be a size like 50GB or 1TiB").optional(),
    cost: z.number().positive().optional(),
  })
  .refine(({ bytes, cost }) => bytes !== undefined || cost !== undefined, "must have bytes, cost, or both");

const CACHE = z.strictObject({
  maxAge: z.number().positive().max(86_400),
  size: z.string().regex(SIZE, "must be a size like 64MiB").optional(),
  entries: z.number().int().positive().optional(),
});

const RULE = z.strictObject({
  table: z.string().regex(/^[^.]+\.[^.]+\..+$/, "must be project.dataset.table; * as project: any, as table: all"),
  members: z.array(z.string()).min(1),
  rows: z.string().min(1).optional(),
  hiddenColumns: z.array(z.string().min(1)).optional(),
});

/** The section `analytics` of the config file: the semantic models of data agents, and what their queries may read. */
export const AnalyticsSectionSchema = z.strictObject({
  /** Model files by the id, or the resource name, of the data agent. */
  semanticModels: z.record(z.string().min(1), ConfigPath).optional(),
  /** What one query may read, by the id, or the resource name, of the data agent; `*`: all others. */
  budgets: z.record(z.string().min(1), BUDGET).optional(),
  /** How long results are kept. Absent: none is. */
  cache: CACHE.optional(),
  /** Who sees which rows and columns of a table. */
  rules: z.array(RULE).optional(),
  price: z.strictObject({ perTiB: z.number().positive(), currency: z.string().min(1) }).optional(),
});

export interface AnalyticsConfig {
  /** Semantic models by the id, or the resource name, of their data agents. */
  readonly definedModels: ReadonlyMap<string, ModelDefinition>;
  readonly budgets: Budgets;
  /** Default: no result is kept. */
  readonly cache?: ResultCacheLimits;
  /** Default none. */
  readonly rules?: readonly AccessRule[];
}

/** Reads the model files. A file that is missing or has faults ends the start, with all of them. */
export function analyticsConfig(
  {
    semanticModels = {},
    budgets = {},
    rules = [],
    price,
    cache,
    ...unread
  }: z.infer<typeof AnalyticsSectionSchema> = {},
  fault: (sentence: string) => Error,
): AnalyticsConfig {
  requireAllRead(unread);
  const models = Object.entries(semanticModels).map(([agent, path]) => {
    const at = `analytics.semanticModels.${agent}`;
    try {
      return [agent, readModelFile({ path, text: readFileSync(path, "utf8") })] as const;
    } catch (error) {
      if (error instanceof ModelFault || error instanceof FileFault) throw fault(`${at}: ${error.message}`);
      throw fault(`${at}: ${path} cannot be read: ${(error as Error).message}`);
    }
  });
  const byAgent = Object.entries(budgets).map(([agent, { bytes, cost }]) => {
    const name = `analytics.budgets.${agent}`;
    if (cost !== undefined && !price)
      throw fault(`${name}: a cost needs analytics.price with what reading a TiB costs`);
    const paid = cost !== undefined && price ? (cost / price.perTiB) * TIB : Number.POSITIVE_INFINITY;
    return [agent, { name, bytes: Math.floor(Math.min(sizeOf(bytes), paid)) }] as const;
  });
  return {
    definedModels: new Map(models),
    budgets: { byAgent: new Map(byAgent), ...definedFields({ price }) },
    ...(cache && { cache: cacheLimits(cache) }),
    rules: rules.map((rule, at) => accessRule(rule, `analytics.rules[${at}]`, fault)),
  };
}

/** `maxAge` in seconds. */
function cacheLimits({ maxAge, size = "64MiB", entries = 1_000 }: z.infer<typeof CACHE>): ResultCacheLimits {
  return { maxAgeMs: maxAge * 1_000, maxBytes: Math.floor(sizeOf(size)), maxEntries: entries };
}

function accessRule(
  { table, members, rows, hiddenColumns = [] }: z.infer<typeof RULE>,
  name: string,
  fault: (sentence: string) => Error,
): AccessRule {
  const [project = "", dataset = "", ...rest] = table.split(".");
  const problem = members.map(memberProblem).find(Boolean);
  if (problem) throw fault(`${name}.members: ${problem}`);
  try {
    const condition = rows === undefined ? {} : { rows: readCondition(rows) };
    const keys = members.map(memberKey);
    return { name, table: [project, dataset, rest.join(".")], members: keys, hiddenColumns, ...condition };
  } catch (error) {
    if (error instanceof ConditionFault) throw fault(`${name}.rows: ${error.message}`);
    throw error;
  }
}

function sizeOf(text: string | undefined): number {
  const [, number, unit = "", binary] = SIZE.exec(text ?? "") ?? [];
  if (number === undefined) return Number.POSITIVE_INFINITY;
  return Number(number) * (binary === "i" ? 1024 : 1000) ** ("KMGTP".indexOf(unit) + 1);
}
