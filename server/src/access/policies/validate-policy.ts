import type { Binding, Policy } from "@frontdesk/protos/google/iam/v1/policy";
import { ExpressionError } from "#base";
import type { FieldViolation } from "#status";
import type { Roles } from "../roles/create-roles.ts";
import { parseCondition } from "./condition.ts";
import { memberProblem } from "./members.ts";

/** Google's limits of a policy (the comment of `Policy.bindings`). */
const MAX_BINDINGS = 1_500;
const MAX_MEMBERS = 1_500;

/** Bindings with a condition, and the characters of all conditions: they are read and evaluated while every other call waits. */
const MAX_CONDITIONS = 100;
const MAX_CONDITION_LENGTH = 20_000;

/** The version of policies that have conditions (the comment of `Policy.version`). */
export const VERSION_WITH_CONDITIONS = 3;

/** The violations of a policy that is to be set (IAM-8), with field paths of SetIamPolicyRequest. */
export function policyViolations(policy: Policy, roles: Roles): readonly FieldViolation[] {
  const members = policy.bindings.reduce((count, binding) => count + binding.members.length, 0);
  if (policy.bindings.length > MAX_BINDINGS || members > MAX_MEMBERS) {
    const description = `A policy has at most ${MAX_BINDINGS} bindings and ${MAX_MEMBERS} members; this one has ${policy.bindings.length} and ${members}. Use groups.`;
    return [{ field: "policy.bindings", description }];
  }
  const conditions = policy.bindings.flatMap(({ condition }) => condition ?? []);
  const length = conditions.reduce((sum, { expression }) => sum + expression.length, 0);
  if (conditions.length > MAX_CONDITIONS || length > MAX_CONDITION_LENGTH) {
    const description = `A policy has at most ${MAX_CONDITIONS} conditions of ${MAX_CONDITION_LENGTH} characters together; this one has ${conditions.length} of ${length}. Put the members of one role and condition into one binding.`;
    return [{ field: "policy.bindings", description }];
  }
  return [
    ...versionViolations(policy),
    ...policy.bindings.flatMap((binding, index) => bindingViolations(binding, `policy.bindings[${index}]`, roles)),
  ];
}

/** A client that sends another version would lose the conditions when it writes back what it read. */
function versionViolations({ version, bindings }: Policy): readonly FieldViolation[] {
  const field = "policy.version";
  if (![0, 1, VERSION_WITH_CONDITIONS].includes(version))
    return [{ field, description: `There is no version ${version}; use 1, or 3 for a policy with conditions.` }];
  if (version === VERSION_WITH_CONDITIONS || !bindings.some(({ condition }) => condition)) return [];
  return [{ field, description: `A policy with conditions has the version ${VERSION_WITH_CONDITIONS}.` }];
}

function bindingViolations(binding: Binding, field: string, roles: Roles): readonly FieldViolation[] {
  const { role, members, condition } = binding;
  const violations: FieldViolation[] = [];
  if (!roles.find(role)) violations.push({ field: `${field}.role`, description: unknownRole(role, roles) });
  if (members.length === 0)
    violations.push({ field: `${field}.members`, description: "A binding has at least one member." });
  for (const [index, member] of members.entries()) {
    const description = memberProblem(member);
    if (description) violations.push({ field: `${field}.members[${index}]`, description });
  }
  const description = condition && conditionProblem(condition.expression);
  if (description) violations.push({ field: `${field}.condition.expression`, description });
  return violations;
}

function unknownRole(role: string, { names }: Roles): string {
  return `'${role.slice(0, 100)}' is no role of this server. Its roles are ${names.join(", ")}.`;
}

/** What is wrong with the text of a condition; undefined for a valid one. */
function conditionProblem(expression: string): string | undefined {
  if (expression === "") return "A condition has an expression.";
  try {
    parseCondition(expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return `${error.message}. A condition reads request.time, request.auth.principal, request.auth.kind, request.auth.claims, origin.ip, resource.name, resource.type, resource.service and resource.labels.`;
  }
}
