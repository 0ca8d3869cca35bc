import { createHash, timingSafeEqual } from "node:crypto";
import { type AgentAccess, type Permission, rolesGrant } from "#analytics";
import type { CallContext } from "#rpc";
import { permissionDenied, unauthenticated } from "#status";
import { bearerToken } from "./bearer-token.ts";

/** A principal to whom the operator gave a token. */
export interface Identity {
  /** As policies name it: `user:ana@example.com`, `serviceAccount:…`. */
  readonly principal: string;
  readonly token: string;
  /** Roles in every project of this server. */
  readonly roles: readonly string[];
}

/** The caller and its permissions. */
export interface DataCaller {
  /** "" when the operator configured no identities. */
  readonly principal: string;
  /** Throws PERMISSION_DENIED unless a role of the caller, or the policy of the agent, grants the permission. */
  require(permission: Permission, subject: string, access?: AgentAccess): void;
  may(permission: Permission, access?: AgentAccess): boolean;
}

export interface DataCallers {
  /** Whether the operator configured identities. */
  readonly known: boolean;
  /** Throws UNAUTHENTICATED when there are identities and the call has the token of none. */
  of(context: Pick<CallContext, "headers">): DataCaller;
}

/** Without identities everybody may do everything; with identities nobody else may do anything with data. */
export function createDataCallers(identities: readonly Identity[]): DataCallers {
  const digests = identities.map((identity) => ({ identity, digest: digestOf(identity.token) }));
  return {
    known: identities.length > 0,
    of({ headers }) {
      if (identities.length === 0) return ANYBODY;
      const given = digestOf(bearerToken(headers) ?? "");
      const found = digests.find(({ digest }) => timingSafeEqual(digest, given));
      if (found) return callerOf(found.identity);
      throw unauthenticated("Send the bearer token of one of the identities that this server knows.", {
        reason: "IDENTITY_REQUIRED",
      });
    },
  };
}

const ANYBODY: DataCaller = { principal: "", require: () => undefined, may: () => true };

function callerOf({ principal, roles }: Identity): DataCaller {
  const may = (permission: Permission, access?: AgentAccess) =>
    rolesGrant([...roles, ...rolesIn(access, principal)], permission);
  return {
    principal,
    may,
    require(permission, subject, access) {
      if (may(permission, access)) return;
      const name = `geminidataanalytics.${permission}`;
      throw permissionDenied(`${principal} lacks the permission ${name} on '${subject}'.`, {
        reason: "IAM_PERMISSION_DENIED",
        metadata: { permission: name, resource: subject },
      });
    },
  };
}

function rolesIn(access: AgentAccess | undefined, principal: string): readonly string[] {
  const bindings = access?.policy.bindings ?? [];
  return bindings
    .filter(({ members }) => members.some((member) => member === principal || EVERYBODY.has(member)))
    .map(({ role }) => role);
}

const EVERYBODY: ReadonlySet<string> = new Set(["allUsers", "allAuthenticatedUsers"]);

/** Digests have equal lengths, so the time of the comparison reveals nothing. */
function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
