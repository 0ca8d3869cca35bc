import type { Caller, Clock } from "#base";
import type { ResourceStore } from "#storage";
import type { Asker, Decision, ShownResources } from "./contract.ts";
import type { Grant } from "./policies/compile-policy.ts";
import type { Condition, ConditionSubject } from "./policies/condition.ts";
import { memberKeysOf } from "./policies/members.ts";
import { type PolicyBook, SERVER } from "./policies/policy-book.ts";
import { labelsOf } from "./policies/resource-facts.ts";
import { beforeWildcard, isBelowPolicies, isWithin, policyScopes } from "./policy-scopes.ts";

/** Answers from the policies whether a caller has a permission. */
export interface Decisions {
  may(asker: Asker, permission: string, resource: string): Decision;
  /** Whether the caller may have the permission on the resource or on anything below it, under some condition. */
  mayBelow(asker: Asker, permission: string, resource: string): boolean;
  shown(asker: Asker, permission: string, parent: string): ShownResources | undefined;
}

interface DecisionsDeps {
  readonly book: PolicyBook;
  readonly store: Pick<ResourceStore, "get">;
  readonly clock: Clock;
}

/** What bearers of a chat token may do, in their session. */
const TALKING: ReadonlySet<string> = new Set(["ces.sessions.runSession", "ces.sessions.bidiRunSession"]);
const CHAT_TOKEN = "chatToken:";

/**
 * Creates the decisions (IAM-1): a caller has a permission on a resource when a binding on it, on its project or on the server gives it a role
 * with the permission. Nothing takes a permission away again.
 */
export function createDecisions(deps: DecisionsDeps): Decisions {
  const decisions = new PolicyDecisions(deps);
  return {
    may: (asker, permission, resource) => decisions.may(asker, permission, resource),
    mayBelow: (asker, permission, resource) => decisions.mayBelow(asker, permission, resource),
    shown: (asker, permission, parent) => {
      const isDecided = isBelowPolicies(parent) || decisions.may(asker, permission, beforeWildcard(parent)) === true;
      return isDecided ? undefined : (name) => decisions.may(asker, permission, name);
    },
  };
}

/** Looks at a grant of a permission; true ends the search. */
type Visit = (grant: Grant) => boolean;

const ANY: Visit = () => true;

class PolicyDecisions {
  readonly #deps: DecisionsDeps;
  readonly #keys = new WeakMap<Caller, readonly string[]>();

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
  }

  may(asker: Asker, permission: string, resource: string): Decision {
    const { caller } = asker;
    if (caller.kind === "operator") return true;
    if (caller.kind === "chatToken" && TALKING.has(permission) && caller.principal === `${CHAT_TOKEN}${resource}`)
      return true;
    if (caller.within && !caller.within.some((scope) => isWithin(resource, scope))) return false;
    const conditions: Condition[] = [];
    const isGranted = this.#someGrant(caller, permission, resource, ({ condition }) => {
      if (condition) conditions.push(condition);
      return condition === undefined;
    });
    if (isGranted || conditions.length === 0) return isGranted;
    return this.#someHolds(conditions, asker, resource);
  }

  mayBelow({ caller }: Asker, permission: string, resource: string): boolean {
    const { kind, principal, within } = caller;
    if (kind === "operator") return true;
    if (kind === "chatToken") return TALKING.has(permission) && isWithin(principal.slice(CHAT_TOKEN.length), resource);
    if (within && !within.some((scope) => isWithin(resource, scope) || isWithin(scope, resource))) return false;
    if (this.#someGrant(caller, permission, resource, ANY)) return true;
    const { book } = this.#deps;
    return this.#keysOf(caller).some((member) => {
      for (const scope of book.resourcesOf(member)) {
        if (scope !== SERVER && isWithin(scope, resource) && this.#someGrantOn(scope, [member], permission, ANY))
          return true;
      }
      return false;
    });
  }

  /** Calls `visit` with the grants of a permission that a caller has on a resource, from the server inwards. */
  #someGrant(caller: Caller, permission: string, resource: string, visit: Visit): boolean {
    const members = this.#keysOf(caller);
    const scopes = policyScopes(resource);
    return (
      this.#someGrantOn(SERVER, members, permission, visit) ||
      (scopes.project !== "" && this.#someGrantOn(scopes.project, members, permission, visit)) ||
      (scopes.resource !== "" && this.#someGrantOn(scopes.resource, members, permission, visit))
    );
  }

  #someGrantOn(scope: string, members: readonly string[], permission: string, visit: Visit): boolean {
    const policy = this.#deps.book.compiled(scope);
    if (!policy) return false;
    for (const member of members) {
      for (const grant of policy.get(member) ?? []) {
        if (grant.role.grants(permission) && visit(grant)) return true;
      }
    }
    return false;
  }

  /** Labels are read only where no condition holds without them. */
  #someHolds(conditions: readonly Condition[], { caller, peer }: Asker, resource: string): Decision {
    const { clock, store } = this.#deps;
    const now = clock.now();
    const subject = (labels: ConditionSubject["resource"]["labels"]): ConditionSubject => ({
      caller,
      address: peer.address,
      now,
      resource: { name: resource, labels },
    });
    const withoutLabels = subject({});
    if (conditions.some((condition) => !condition.readsLabels && condition.holds(withoutLabels))) return true;
    const others = conditions.filter(({ readsLabels }) => readsLabels);
    if (others.length === 0) return false;
    return labelsOf(resource, store).then((labels) => {
      const withLabels = subject(labels);
      return others.some((condition) => condition.holds(withLabels));
    });
  }

  #keysOf(caller: Caller): readonly string[] {
    let known = this.#keys.get(caller);
    if (!known) {
      known = memberKeysOf(caller);
      this.#keys.set(caller, known);
    }
    return known;
  }
}
