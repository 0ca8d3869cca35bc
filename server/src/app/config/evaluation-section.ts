import { z } from "zod";
import { requireAllRead } from "./config-values.ts";

/** How evaluations run. */
export interface EvaluationConfig {
  /** Name of the model that judges, as apps name models. "" = the default model. */
  readonly judge: string;
  /** Name of the model that plays the users of scenarios. "" = the default model. */
  readonly user: string;
  /** Cases of a run that run at the same time. Default 8. */
  readonly concurrency: number;
}

/** The section `evaluation` of the config file. */
export const EvaluationSectionSchema = z.strictObject({
  judge: z.string().optional(),
  user: z.string().optional(),
  concurrency: z.number().int().min(1).max(256).optional(),
});

/** The section as configuration. */
export function evaluationConfig({
  judge = "",
  user = "",
  concurrency = 8,
  ...unread
}: z.infer<typeof EvaluationSectionSchema> = {}): EvaluationConfig {
  requireAllRead(unread);
  return { judge, user, concurrency };
}
