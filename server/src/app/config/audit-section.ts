import { resolve } from "node:path";
import { z } from "zod";
import type { AuditConfig } from "#audit";
import { definedFields } from "#base";
import { ConfigPath } from "./config-path.ts";
import { requireAllRead } from "./config-values.ts";

const DAY_MS = 86_400_000;

/** The section `audit` of the config file. */
export const AuditSectionSchema = z.strictObject({
  record: z.array(z.enum(["write", "read", "use"])).optional(),
  file: ConfigPath.optional(),
  required: z.boolean().optional(),
  keepDays: z.number().positive().max(36_500).optional(),
});

/** The section as configuration. */
export function auditConfig({
  record = ["write"],
  file,
  required = false,
  keepDays = 400,
  ...unread
}: z.infer<typeof AuditSectionSchema> = {}): AuditConfig {
  requireAllRead(unread);
  return {
    records: new Set(record),
    ...definedFields({ file: file === undefined ? undefined : resolve(file) }),
    required,
    keepMs: keepDays * DAY_MS,
  };
}
