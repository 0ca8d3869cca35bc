import { ANONYMOUS, type Caller, type CallerKind } from "#base";
import { digestOf } from "../credentials/credentials.ts";

/** A bearer token that the operator configured for a principal (the section `identities`). */
export interface StaticToken {
  /** As policies name it: `user:ana@example.com`, `serviceAccount:…`. */
  readonly principal: string;
  readonly token: string;
}

/** Returns the caller with a bearer token; undefined for other tokens. */
export function createStaticTokens(tokens: readonly StaticToken[]): (token: string) => Caller | undefined {
  // By digest: the time of a look-up reveals nothing of the token.
  const callers = new Map(tokens.map(({ principal, token }) => [digestOf(token), callerOf(principal)]));
  return (token) => (callers.size > 0 ? callers.get(digestOf(token)) : undefined);
}

function callerOf(principal: string): Caller {
  const [prefix = ""] = principal.split(":", 1);
  const groups = prefix === "group" ? [principal] : [];
  return Object.freeze({ ...ANONYMOUS, kind: KINDS[prefix] ?? "user", principal, credentialId: "identities", groups });
}

const KINDS: Readonly<Record<string, CallerKind>> = { serviceAccount: "serviceAccount", principal: "workload" };
