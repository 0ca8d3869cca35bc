import { z } from "zod";
import { HOSTED_RULES, type QuotaConfig, type QuotaRule } from "#quota";
import { requireAllRead } from "./config-values.ts";

const MINUTE_MS = 60_000;

const price = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() });

/** The section `quotas` of the config file. */
export const QuotasSectionSchema = z.strictObject({
  preset: z.literal("hosted").optional(),
  limits: z
    .array(
      z.strictObject({
        measure: z.enum(["requests", "reads", "writes", "turns", "tokens", "money", "streams"]),
        per: z.enum(["caller", "app", "project"]),
        limit: z.number().positive(),
        everySeconds: z.number().positive().max(31_622_400).optional(),
        burst: z.number().positive().optional(),
      }),
    )
    .optional(),
  prices: z.record(z.string(), price).optional(),
  turnsAtOnce: z.number().int().min(1).max(100_000).optional(),
});

/** The section as configuration. Limits of the file are in force beside those of the preset. */
export function quotaConfig({
  preset,
  limits = [],
  prices = {},
  turnsAtOnce = 1_000,
  ...unread
}: z.infer<typeof QuotasSectionSchema> = {}): QuotaConfig {
  requireAllRead(unread);
  const rules = limits.map(
    ({ measure, per, limit, everySeconds, burst = limit }): QuotaRule => ({
      measure,
      per,
      limit,
      everyMs: everySeconds === undefined ? MINUTE_MS : everySeconds * 1_000,
      burst,
    }),
  );
  return { rules: preset === "hosted" ? [...HOSTED_RULES, ...rules] : rules, prices, turnsAtOnce };
}
