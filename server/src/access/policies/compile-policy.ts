import type { Policy } from "@frontdesk/protos/google/iam/v1/policy";
import type { Roles } from "../roles/create-roles.ts";
import type { Role } from "../roles/role.ts";
import { type Condition, parseCondition } from "./condition.ts";
import { isSomebody, memberKey } from "./members.ts";

/** What one binding gives one member. */
export interface Grant {
  readonly role: Role;
  readonly condition?: Condition;
}

/** The grants of a policy by member key. */
export type CompiledPolicy = ReadonlyMap<string, readonly Grant[]>;

/** Compiles a policy that was valid when it was written. Bindings of roles that are no longer configured grant nothing. */
export function compilePolicy({ bindings }: Policy, roles: Roles): CompiledPolicy {
  const compiled = new Map<string, Grant[]>();
  for (const { role: roleName, members, condition } of bindings) {
    const role = roles.find(roleName);
    if (!role) continue;
    const text = condition?.expression ?? "";
    const grant: Grant = text === "" ? { role } : { role, condition: parseCondition(text) };
    for (const member of members) {
      const key = memberKey(member);
      const grants = compiled.get(key);
      if (grants) grants.push(grant);
      else compiled.set(key, [grant]);
    }
  }
  return compiled;
}

/** Whether a policy gives somebody in particular a permission at all times. */
export function grantsToSomebody(policy: CompiledPolicy, permission: string): boolean {
  for (const [member, grants] of policy) {
    if (isSomebody(member) && grants.some(({ role, condition }) => !condition && role.grants(permission))) return true;
  }
  return false;
}
