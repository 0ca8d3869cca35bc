import { z } from "zod";
import { ROLE_NAMES } from "#analytics";
import type { Identity } from "#services";

/** The section `identities` of the config file: who may query data and manage data agents. */
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

/** Characters of the shortest token; shorter ones could be guessed. */
const MIN_TOKEN_LENGTH = 16;

/** The section with the tokens from the environment. `fault` creates the error for a message. */
export function identities(
  section: z.infer<typeof IdentitiesSectionSchema> = [],
  environment: Readonly<Record<string, string | undefined>>,
  fault: (sentence: string) => Error,
): readonly Identity[] {
  return section.map(({ principal, tokenEnv, roles = [] }) => {
    const token = environment[tokenEnv] ?? "";
    if (token.length >= MIN_TOKEN_LENGTH) return { principal, token, roles };
    throw fault(
      `identities: the environment variable ${tokenEnv} must hold the bearer token of ${principal}, at least ${MIN_TOKEN_LENGTH} characters.`,
    );
  });
}
