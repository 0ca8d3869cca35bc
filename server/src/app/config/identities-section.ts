import { z } from "zod";
import type { Roles } from "#access";

/** A principal to whom the operator gave a token. */
export interface Identity {
  /** As policies name it: `user:ana@example.com`, `serviceAccount:…`. */
  readonly principal: string;
  readonly token: string;
  /** Roles on the whole server. */
  readonly roles: readonly string[];
}

/** The section `identities` of the config file: who may query data and manage data agents. */
export const IdentitiesSectionSchema = z.array(
  z.strictObject({
    principal: z
      .string()
      .regex(/^(user|serviceAccount|group|principal):\S+$/, "must look like user:ana@example.com or serviceAccount:…"),
    tokenEnv: z.string().min(1),
    roles: z.array(z.string()).optional(),
  }),
);

/** Characters of the shortest token; shorter ones could be guessed. */
const MIN_TOKEN_LENGTH = 16;

/** The section with the tokens from the environment. `fault` creates the error for a message; `known`: the roles that there are. */
export function identities(
  section: z.infer<typeof IdentitiesSectionSchema> = [],
  environment: Readonly<Record<string, string | undefined>>,
  fault: (sentence: string) => Error,
  known: Roles,
): readonly Identity[] {
  return section.map(({ principal, tokenEnv, roles = [] }, index) => {
    const unknown = roles.find((role) => !known.find(role));
    if (unknown !== undefined)
      throw fault(`identities.${index}.roles: '${unknown}' must be one of ${known.names.join(", ")}.`);
    const token = environment[tokenEnv] ?? "";
    if (token.length >= MIN_TOKEN_LENGTH) return { principal, token, roles };
    throw fault(
      `identities: the environment variable ${tokenEnv} must hold the bearer token of ${principal}, at least ${MIN_TOKEN_LENGTH} characters.`,
    );
  });
}
