import { z } from "zod";
import type { JsonValue } from "#base";
import type { FieldViolation } from "#status";

/** A part of a provider's name: it precedes a slash and appears in log lines. */
const providerName = z.string().regex(/^[a-z0-9][a-z0-9_-]*$/, "must be lower-case letters, digits, '-' and '_'");
const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const json: z.ZodType<JsonValue> = z.json() as z.ZodType<JsonValue>;

/** The key itself, or the environment variable that holds it, so that the file can be committed. */
const key = { apiKey: z.string().min(1).optional(), apiKeyEnv: z.string().min(1).optional() };
const http = { baseUrl: url.optional(), headers: z.record(z.string(), z.string()).optional() };

const provider = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("gemini"),
    ...key,
    ...http,
    vertex: z.strictObject({ project: z.string().min(1), location: z.string().min(1).default("global") }).optional(),
  }),
  z.strictObject({ type: z.literal("openai"), ...key, ...http }),
  z.strictObject({ type: z.literal("anthropic"), ...key, ...http }),
  z.strictObject({
    type: z.literal("ai-sdk"),
    ...key,
    module: z.string().min(1),
    factory: z.string().min(1),
    options: z.record(z.string(), json).optional(),
  }),
]);

const wholeNumber = z.int().min(0);

/** What the section `models` may have. */
export const ModelsSectionSchema = z.strictObject({
  default: z.string().optional(),
  aliases: z.record(z.string().min(1), z.string().min(1)).optional(),
  providers: z.record(providerName, provider).optional(),
  fallbacks: z.array(z.string().min(1)).optional(),
  breaker: z
    .strictObject({
      failures: wholeNumber.min(1).optional(),
      openMs: wholeNumber.min(1).optional(),
      silentMs: wholeNumber.min(1).optional(),
    })
    .optional(),
  retries: z
    .strictObject({
      attempts: wholeNumber.min(1).optional(),
      baseDelayMs: wholeNumber.optional(),
      maxDelayMs: wholeNumber.optional(),
    })
    .optional(),
  timeouts: z
    .strictObject({
      connectMs: wholeNumber.min(1).optional(),
      answerMs: wholeNumber.min(1).optional(),
      pauseMs: wholeNumber.min(1).optional(),
    })
    .optional(),
  proxy: z.strictObject({ url, except: z.string().default("") }).optional(),
});

/** The `models` section of the configuration file, as written. */
export type ModelsFileSection = z.infer<typeof ModelsSectionSchema>;
export type ProviderFileSection = z.infer<typeof provider>;

/** Reads the section; every violation is appended, with its path from `models`. `undefined` means that the section is absent. */
export function parseModelsFileSection(value: unknown, violations: FieldViolation[]): ModelsFileSection {
  const parsed = ModelsSectionSchema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    violations.push({ field: ["models", ...issue.path].join("."), description: issue.message });
  }
  return {};
}
