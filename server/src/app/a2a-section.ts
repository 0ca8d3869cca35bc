import { z } from "zod";
import { definedFields } from "#base";

/** The section `a2a` of the config file: how agents of others find the apps of this server. */
export const A2aSectionSchema = z.strictObject({
  agent: z
    .string()
    .regex(
      /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+(?:\/(?:versions|deployments)\/[^/]+)?$/,
      "must be the resource name of an app, a version or a deployment",
    )
    .optional(),
});

/** How agents of others find the apps of this server. */
export interface A2aConfig {
  /** The agent for clients that name none: an app, a version or a deployment. Default: the only app, if there is one. */
  readonly agent?: string;
}

/** The section as configuration; `FRONTDESK_A2A_AGENT` wins. */
export function a2aConfig(
  section: z.infer<typeof A2aSectionSchema> = {},
  agent: string | undefined,
  fault: (sentence: string) => Error,
): A2aConfig {
  const given = A2aSectionSchema.safeParse({ ...section, ...definedFields({ agent }) });
  if (!given.success) throw fault(`FRONTDESK_A2A_AGENT ${given.error.issues.map(({ message }) => message).join("; ")}`);
  return definedFields(given.data);
}
