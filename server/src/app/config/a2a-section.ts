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
  cards: z.enum(["all", "1.0"], { error: "must be all or 1.0" }).optional(),
});

/** How agents of others find the apps of this server. */
export interface A2aConfig {
  /** The agent for clients that name none: an app, a version or a deployment. Default: the only app, if there is one. */
  readonly agent?: string;
  /** The fields of cards for readers that name no version. Default `all`, of 1.0 and of 0.3. */
  readonly cards?: "all" | "1.0";
}

/** The section as configuration; the environment wins. */
export function a2aConfig(
  section: z.infer<typeof A2aSectionSchema> = {},
  { FRONTDESK_A2A_AGENT: agent, FRONTDESK_A2A_CARDS: cards }: Readonly<Record<string, string | undefined>>,
  fault: (sentence: string) => Error,
): A2aConfig {
  const given = A2aSectionSchema.safeParse({ ...section, ...definedFields({ agent, cards }) });
  if (!given.success) throw fault(given.error.issues.map(sentenceOf).join("; "));
  return definedFields(given.data);
}

function sentenceOf({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return `FRONTDESK_A2A_${String(path[0]).toUpperCase()} ${message}`;
}
