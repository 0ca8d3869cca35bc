import { type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { oauth_scopes } from "@frontdesk/protos/google/api/client";
import { httpRuleOf } from "#aip";
import type { Caller } from "#base";
import type { Interceptor, RegisteredMethod } from "#rpc";
import { type ConnectError, permissionDenied } from "#status";

/** What a scope of an issuer lets a token do: call the methods that change nothing, or all methods. */
type ScopeReach = "read" | "all";

/** Scopes that tokens of issuers can have. Empty: their scopes are not looked at, and roles alone decide. */
export type IssuerScopes = Readonly<Record<string, ScopeReach>>;

/** Scopes of services whose definitions name none: the mixins of operations, locations and policies. */
const MIXIN_SCOPES = ["https://www.googleapis.com/auth/cloud-platform", "https://www.googleapis.com/auth/ces"];

/**
 * Refuses calls with tokens whose scopes do not reach the method (AUTH-19): one of the scopes in the definition of its service, or one of an
 * issuer. Callers whose credential has no scopes pass: their roles decide.
 */
export function requireScopes(issuerScopes: IssuerScopes): Interceptor {
  const accepted = new Map<RegisteredMethod, ReadonlySet<string>>();
  const acceptedBy = (method: RegisteredMethod): ReadonlySet<string> => {
    let scopes = accepted.get(method);
    if (!scopes) {
      scopes = new Set([...scopesFor(method, issuerScopes), ...scopesOfService(method.internalMethod.parent)]);
      accepted.set(method, scopes);
    }
    return scopes;
  };
  const check = (method: RegisteredMethod, { scopes }: Caller): void => {
    if (scopes && !scopes.some((scope) => acceptedBy(method).has(scope)))
      throw insufficient(method, acceptedBy(method));
  };
  return (next) => ({
    unary: async (method, request, context) => {
      check(method, context.caller);
      return next.unary(method, request, context);
    },
    stream: (method, request, context) => {
      check(method, context.caller);
      return next.stream(method, request, context);
    },
  });
}

/** Scopes of issuers that reach a method, the smallest first. */
function scopesFor({ internalMethod }: RegisteredMethod, issuerScopes: IssuerScopes): readonly string[] {
  const isRead = httpRuleOf(internalMethod)?.pattern.case === "get";
  const named = (reach: ScopeReach) => Object.keys(issuerScopes).filter((scope) => issuerScopes[scope] === reach);
  return [...(isRead ? named("read") : []), ...named("all")];
}

function scopesOfService(service: DescService): readonly string[] {
  return hasOption(service, oauth_scopes) ? getOption(service, oauth_scopes).split(",") : MIXIN_SCOPES;
}

/** In Google's words, with the challenge of RFC 6750, 3.1, so that a client can ask for the scope. */
function insufficient({ internalMethod }: RegisteredMethod, accepted: ReadonlySet<string>): ConnectError {
  const { parent, name } = internalMethod;
  const [scope = ""] = accepted;
  return permissionDenied(
    `Request had insufficient authentication scopes. ${name} needs the scope '${scope}'.`,
    {
      reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
      metadata: { method: `${parent.typeName}.${name}`, service: parent.typeName },
    },
    `Bearer realm="frontdesk", error="insufficient_scope", scope="${scope}"`,
  );
}
