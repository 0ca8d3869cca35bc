import type { JWTPayload } from "jose";
import { ANONYMOUS, type Caller, type JsonValue } from "#base";
import { invalidToken } from "../refusals.ts";
import { listOf, scopesOf } from "../tokens/claims.ts";
import type { Issuer } from "./contract.ts";

/** The caller for whom an issuer vouches (AUTH-14). `readScopes`: its scopes limit it. Throws UNAUTHENTICATED when it may not vouch for that one. */
export function callerOf(issuer: Issuer, claims: JWTPayload, readScopes: boolean): Caller {
  if (!claims.sub) throw invalidToken("The token lacks the claim 'sub'.");
  const audience = listOf(claims.aud);
  return Object.freeze({
    ...ANONYMOUS,
    ...(issuer.kind === "user" ? personOf(issuer, claims) : workloadOf(issuer, claims)),
    credentialId: `issuer:${issuer.name}`,
    // JSON that was parsed.
    claims: claims as Readonly<Record<string, JsonValue>>,
    audience,
    expiresAt: 1_000 * Number(claims.exp),
    ...(readScopes && { scopes: scopesOf(claims.scope ?? claims.scp) ?? [] }),
  });
}

type Named = Pick<Caller, "kind" | "principal" | "groups">;

function personOf(issuer: Issuer, claims: JWTPayload): Named {
  const pool = `//iam.googleapis.com/locations/global/workforcePools/${issuer.name}`;
  const names = issuer.groupsClaim === undefined ? [] : listOf(claims[issuer.groupsClaim]);
  const groups = names.map((name) =>
    name.includes("@") ? `group:${name.toLowerCase()}` : `principalSet:${pool}/group/${name}`,
  );
  const email = emailOf(issuer, claims);
  return { kind: "user", principal: email ? `user:${email}` : `principal:${pool}/subject/${claims.sub}`, groups };
}

/** The address in lower case, as people write it in policies; undefined when the token has none. */
function emailOf(issuer: Issuer, { email, email_verified }: JWTPayload): string | undefined {
  if (typeof email !== "string" || email === "") return undefined;
  const { name, domains } = issuer;
  checkVerified(issuer, email_verified);
  const address = email.toLowerCase();
  const domain = address.slice(address.lastIndexOf("@") + 1);
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || domain.endsWith("frontdesk.local"))
    throw invalidToken("The e-mail address of the token is not one of a person.");
  if (domains && !domains.includes(domain))
    throw invalidToken(`The issuer '${name}' may not vouch for addresses of ${domain}.`);
  return address;
}

/** An issuer that says nothing may pass on what people write into their profiles: anybody could be anybody (AUTH-29). */
function checkVerified({ name, assignsEmails = false }: Issuer, verified: unknown): void {
  if (verified === true || verified === "true" || (verified === undefined && assignsEmails)) return;
  if (verified === undefined)
    throw invalidToken(
      `The token does not say whether the issuer '${name}' has verified its e-mail address (email_verified). ` +
        "Where people cannot choose their addresses, the operator can set 'assignsEmails' of the issuer.",
    );
  throw invalidToken(`The issuer '${name}' has not verified the e-mail address of the token.`);
}

function workloadOf({ name, project, attributes = [], groupsClaim }: Issuer, claims: JWTPayload): Named {
  const pool = `//iam.googleapis.com/projects/${project}/locations/global/workloadIdentityPools/${name}`;
  const groups = groupsClaim === undefined ? [] : listOf(claims[groupsClaim]).map((group) => `group/${group}`);
  const values = attributes.flatMap((claim) => listOf(claims[claim]).map((value) => `attribute.${claim}/${value}`));
  return {
    kind: "workload",
    principal: `principal:${pool}/subject/${claims.sub}`,
    groups: [...groups, ...values, "*"].map((set) => `principalSet:${pool}/${set}`),
  };
}
