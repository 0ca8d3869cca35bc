import { z } from "zod";
import { definedFields } from "#base";
import { type CustomDetectors, createBuiltinRedaction } from "#session";
import { requireAllRead } from "./config-values.ts";

/** The name of a kind of data; a finding is replaced by it in brackets. */
const KindSchema = z.string().regex(/^[A-Z][A-Z0-9_]*$/, "use capitals, digits and underscores, e.g. ORDER_NUMBER");

/** The section `redaction` of the config file: detectors besides the built-in ones. */
export const RedactionSectionSchema = z
  .strictObject({
    patterns: z.array(z.strictObject({ name: KindSchema, pattern: z.string().min(1) })).optional(),
    dictionaries: z
      .array(z.strictObject({ name: KindSchema, words: z.array(z.string().min(1)).max(100_000) }))
      .optional(),
  })
  .superRefine((section, context) => {
    for (const [at, { pattern }] of (section.patterns ?? []).entries()) {
      const fault = faultOf(pattern);
      if (fault) context.addIssue({ code: "custom", path: ["patterns", at, "pattern"], message: fault });
    }
  });

/** The section as configuration of the redaction. */
export function customDetectors({
  patterns,
  dictionaries,
  ...unread
}: z.infer<typeof RedactionSectionSchema> = {}): CustomDetectors {
  requireAllRead(unread);
  return definedFields({ patterns, dictionaries });
}

function faultOf(pattern: string): string | undefined {
  try {
    createBuiltinRedaction({ patterns: [{ name: "CHECKED", pattern }] });
    return undefined;
  } catch (error) {
    return `is not a regular expression (RE2): ${(error as Error).message}`;
  }
}
