import { z } from "zod";
import { ROLE_NAMES } from "#analytics";
import type { Identity } from "#services";

/** The section `identities` of the config file: who may ask data and keep data agents. */
export const IdentitiesSectionSchema = z.array(
  z.strictObject({
    principal: z
      .string()
      .regex(/^(user|serviceAccount|group|principal):\S+$/, "must look like user:ana@example.com or serviceAccount:…"),
    tokenEnv: z.string().min(1),
    roles: z
      .array(
        z.string().refine((role) => ROLE_NAMES.includes(role), { error: `must be one of ${ROLE_NAMES.join(", ")}` }),
      )
      .optional(),
  }),
);

/** Shorter ones can be guessed. */
const SHORTEST_TOKEN = 16;

/** The section with the tokens. Throws what `fault` makes of one sentence for what cannot be used. */
export function identities(
  section: z.infer<typeof IdentitiesSectionSchema> = [],
  environment: Readonly<Record<string, string | undefined>>,
  fault: (sentence: string) => Error,
): readonly Identity[] {
  return section.map(({ principal, tokenEnv, roles = [] }) => {
    const token = environment[tokenEnv] ?? "";
    if (token.length >= SHORTEST_TOKEN) return { principal, token, roles };
    throw fault(
      `identities: the environment variable ${tokenEnv} must hold the bearer token of ${principal}, ${SHORTEST_TOKEN} characters at least.`,
    );
  });
}
