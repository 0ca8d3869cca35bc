import { postRest } from "./rest.ts";

/** A role and who has it, as policies say it. */
export interface Binding {
  readonly role: string;
  readonly members: readonly string[];
  readonly condition?: { readonly title?: string; readonly expression?: string };
}

/** Who has which role on a resource. */
export interface Policy {
  readonly version?: number;
  readonly bindings?: readonly Binding[];
  readonly etag?: string;
}

/** Reads the policy of a project, an app or a data agent, with its conditions. */
export function readPolicy(resource: string): Promise<Policy> {
  return postRest(`${resource}:getIamPolicy`, { options: { requestedPolicyVersion: 3 } });
}

/** Writes a policy as it was read, but for its bindings. A change of somebody else in between is refused. */
export function writePolicy(resource: string, policy: Policy, bindings: readonly Binding[]): Promise<Policy> {
  return postRest(`${resource}:setIamPolicy`, { policy: { ...policy, version: 3, bindings } });
}

/** The bindings with one more member. */
export function withMember(bindings: readonly Binding[], role: string, member: string): readonly Binding[] {
  const at = bindings.findIndex((binding) => binding.role === role && !binding.condition);
  if (at < 0) return [...bindings, { role, members: [member] }];
  return bindings.map((binding, index) =>
    index === at ? { ...binding, members: [...new Set([...binding.members, member])] } : binding,
  );
}

/** The bindings without a member of one of them. */
export function withoutMember(bindings: readonly Binding[], from: Binding, member: string): readonly Binding[] {
  return bindings
    .map((binding) =>
      binding === from ? { ...binding, members: binding.members.filter((other) => other !== member) } : binding,
    )
    .filter(({ members }) => members.length > 0);
}
