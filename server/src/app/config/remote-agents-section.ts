import { z } from "zod";
import type { RemoteAgentCredential } from "#tools";
import { AuthenticationSchema } from "./connectors-section.ts";

const origin = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .refine((text) => new URL(text).origin === text.replace(/\/$/, ""), "must be an origin, without a path")
  .transform((text) => new URL(text).origin);

/** The section `remoteAgents` of the config file: credentials for A2A agents, and for which apps. */
export const RemoteAgentsSectionSchema = z.array(
  z.strictObject({
    origin,
    authentication: AuthenticationSchema,
    /** Names of apps; a `*` at the end matches any rest. */
    apps: z.array(z.string().min(1)).min(1),
  }),
);

/** The section as configuration of the tools. */
export function remoteAgentCredentials(
  section: z.infer<typeof RemoteAgentsSectionSchema> = [],
): readonly RemoteAgentCredential[] {
  return section;
}
