/** What callers may do: permissions of methods, roles, policies with conditions, and the interceptor that asks them. */
export type { Access, AccessMode, Asker, MethodRule } from "./contract.ts";
export { createAccess } from "./create-access.ts";
export { operationPermission } from "./methods/policy-permissions.ts";
export { memberKey, memberKeysOf, memberProblem } from "./policies/members.ts";
export { openPolicyBook, type PolicyBook, SERVER } from "./policies/policy-book.ts";
export { createResourcePolicies, type ResourcePolicies } from "./policies/resource-policies.ts";
export { policyViolations } from "./policies/validate-policy.ts";
export { createRoles, type Roles } from "./roles/create-roles.ts";
