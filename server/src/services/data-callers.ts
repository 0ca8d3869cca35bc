import { type AgentAccess, type Permission, rolesGrant } from "#analytics";
import type { CallContext } from "#rpc";
import { permissionDenied, unauthenticated } from "#status";

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
  /** "" when the operator configured no identities, and for the operator. */
  readonly principal: string;
  /** Throws PERMISSION_DENIED unless a role of the caller, or the policy of the agent, grants the permission. */
  require(permission: Permission, subject: string, access?: AgentAccess): void;
  may(permission: Permission, access?: AgentAccess): boolean;
}

export interface DataCallers {
  /** Whether the operator configured identities. */
  readonly known: boolean;
  /** Throws UNAUTHENTICATED when there are identities and the call has the token of none. */
  of(context: Pick<CallContext, "caller">): DataCaller;
}

/** Without identities everybody may do everything; with identities nobody else may do anything with data. */
export function createDataCallers(identities: readonly Identity[]): DataCallers {
  const roles = new Map<string, readonly string[]>();
  for (const { principal, roles: more } of identities) roles.set(principal, [...(roles.get(principal) ?? []), ...more]);
  return {
    known: identities.length > 0,
    of({ caller }) {
      if (identities.length === 0 || caller.kind === "operator") return ANYBODY;
      const found = roles.get(caller.principal);
      if (found) return callerOf(caller.principal, found);
      throw unauthenticated("Send the bearer token of one of the identities that this server knows.", {
        reason: "IDENTITY_REQUIRED",
      });
    },
  };
}

const ANYBODY: DataCaller = { principal: "", require: () => undefined, may: () => true };

function callerOf(principal: string, roles: readonly string[]): DataCaller {
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
