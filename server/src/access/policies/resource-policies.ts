import { create } from "@bufbuild/protobuf";
import type { GetIamPolicyRequest, SetIamPolicyRequest } from "@frontdesk/protos/google/iam/v1/iam_policy";
import { type Policy, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import { matchName, parseNamePattern } from "#aip";
import { aborted, type FieldViolation, failedPrecondition, invalidArgument, notFound } from "#status";
import { type ResourceRow, type ResourceStore, type ResourceWrite, StaleEtagError } from "#storage";
import type { Access, Asker } from "../contract.ts";
import { policyPermission } from "../methods/policy-permissions.ts";
import { policyScopes } from "../policy-scopes.ts";
import type { Roles } from "../roles/create-roles.ts";
import { PERMISSION_PATTERN } from "../roles/role.ts";
import type { StoredPolicy } from "./access-rows.ts";
import { compilePolicy, grantsToSomebody } from "./compile-policy.ts";
import { type PolicyBook, SERVER } from "./policy-book.ts";
import { policyViolations, VERSION_WITH_CONDITIONS } from "./validate-policy.ts";

/** Reads and writes the policies of projects, apps and data agents (google.iam.v1). Who may is decided before. */
export interface ResourcePolicies {
  /** The policy; empty where none was set. NOT_FOUND for an unknown app or data agent, INVALID_ARGUMENT for a resource without policies. */
  get(request: Pick<GetIamPolicyRequest, "resource" | "options">): Promise<Policy>;
  /**
   * Replaces the policy. INVALID_ARGUMENT with the fields that are wrong, ABORTED for an etag that is not the stored one, FAILED_PRECONDITION when
   * nobody could change the policy any more. `validateOnly`: does everything but the write. Default false.
   */
  set(request: SetIamPolicyRequest, asker: Asker, validateOnly?: boolean): Promise<Policy>;
  /** Those of the permissions that the caller has on the resource, whether it exists or not. */
  test(resource: string, permissions: readonly string[], asker: Asker): Promise<readonly string[]>;
}

interface ResourcePoliciesDeps {
  readonly book: PolicyBook;
  readonly access: Pick<Access, "mode" | "may">;
  readonly roles: Roles;
  readonly store: Pick<ResourceStore, "get" | "write">;
}

const PROJECT = parseNamePattern("projects/{project}");
const BELOW_LOCATION = [
  parseNamePattern("projects/{project}/locations/{location}/apps/{app}"),
  parseNamePattern("projects/{project}/locations/{location}/dataAgents/{data_agent}"),
];

/** What a client gets and sends back in place of the etag of a policy that was never set. */
const ETAG_OF_NONE = "none";

/** Creates what serves GetIamPolicy, SetIamPolicy and TestIamPermissions of all resources with a policy. */
export function createResourcePolicies({ book, access, roles, store }: ResourcePoliciesDeps): ResourcePolicies {
  return {
    async get({ resource, options }) {
      await readResource(resource, store);
      const version = options?.requestedPolicyVersion ?? 0;
      if (![0, 1, VERSION_WITH_CONDITIONS].includes(version)) throw wrongVersion(version);
      return shown(book.read(resource));
    },

    async set(request, asker, validateOnly = false) {
      const { resource, policy } = request;
      const row = await readResource(resource, store);
      if (!policy) throw invalidArgument({ field: "policy", description: "Required field is not set." });
      const violations = [...unsupported(request, policy), ...policyViolations(policy, roles)];
      if (violations.length > 0) throw invalidArgument(violations);
      const before = book.read(resource);
      const given = Buffer.from(policy.etag).toString();
      if (given !== "" && given !== (before.etag || ETAG_OF_NONE)) throw stalePolicy(resource);
      const { version, bindings } = policy;
      const next = create(PolicySchema, { version, bindings });
      if (access.mode !== "open" && locksOut(resource, next, asker)) throw lastAdmin(resource);
      const write = book.toWrite(resource, next, before.creator, before.etag);
      if (!validateOnly) await writeWith(row, write, resource);
      return validateOnly ? shown({ ...before, policy: next }) : shown(book.read(resource));
    },

    async test(resource, permissions, asker) {
      const violations = permissions.flatMap((permission, index) => permissionViolations(permission, index));
      if (violations.length > 0) throw invalidArgument(violations);
      const answers = await Promise.all(permissions.map((permission) => access.may(asker, permission, resource)));
      return permissions.filter((_, index) => answers[index]);
    },
  };

  /** Whether neither the policy nor that of the project leaves somebody who may change it, and the caller does not administer the server (IAM-9). */
  function locksOut(resource: string, next: Policy, asker: Asker): boolean {
    const permission = policyPermission(resource, "setIamPolicy");
    if (grantsToSomebody(compilePolicy(next, roles), permission)) return false;
    const { project } = policyScopes(resource);
    const inherited = project === resource ? undefined : book.compiled(project);
    if (inherited && grantsToSomebody(inherited, permission)) return false;
    return access.may(asker, permission, SERVER) !== true;
  }

  /** The row of the resource is written as it is, so that a policy is not stored for one that is deleted at the same time. */
  async function writeWith(row: ResourceRow | undefined, write: ResourceWrite, resource: string): Promise<void> {
    const guard: readonly ResourceWrite[] = row ? [{ kind: "put", row, ifEtag: row.etag }] : [];
    try {
      await book.store.write([...guard, write]);
    } catch (error) {
      throw error instanceof StaleEtagError ? stalePolicy(resource) : error;
    }
  }
}

/** The row of an app or data agent; undefined for projects, which are not stored. */
async function readResource(resource: string, store: Pick<ResourceStore, "get">): Promise<ResourceRow | undefined> {
  const project = matchName(PROJECT, resource)?.project;
  if (project !== undefined && project !== "-") return undefined;
  if (!BELOW_LOCATION.some((pattern) => matchName(pattern, resource))) {
    const description = `'${resource}' has no policy of its own. Projects, apps and data agents have: projects/{project}, projects/{project}/locations/{location}/apps/{app}, …/dataAgents/{data_agent}.`;
    throw invalidArgument({ field: "resource", description });
  }
  const row = await store.get(resource);
  if (!row) throw notFound(resource);
  return row;
}

function shown({ policy, etag }: StoredPolicy): Policy {
  const { bindings } = policy;
  const version = bindings.some(({ condition }) => condition) ? VERSION_WITH_CONDITIONS : 1;
  return create(PolicySchema, { version, bindings, etag: Buffer.from(etag || ETAG_OF_NONE) });
}

function unsupported({ updateMask }: SetIamPolicyRequest, { auditConfigs }: Policy): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (auditConfigs.length > 0) {
    const description = "Audit logs are configured for the whole server. Leave audit_configs out.";
    violations.push({ field: "policy.audit_configs", description });
  }
  const other = updateMask?.paths.filter((path) => !["bindings", "etag", "version"].includes(path)) ?? [];
  if (other.length > 0) {
    const description = `'${other.join(", ")}' cannot be updated; the mask has bindings, etag and version, or is left out.`;
    violations.push({ field: "update_mask", description });
  } else if (updateMask && updateMask.paths.length > 0 && !updateMask.paths.includes("bindings")) {
    violations.push({ field: "update_mask", description: "Without bindings there is nothing to update." });
  }
  return violations;
}

function permissionViolations(permission: string, index: number): readonly FieldViolation[] {
  if (PERMISSION_PATTERN.test(permission) && !permission.includes("*")) return [];
  const description = `'${permission.slice(0, 100)}' is no permission; write one such as ces.apps.get, without wildcards.`;
  return [{ field: `permissions[${index}]`, description }];
}

function wrongVersion(version: number) {
  const description = `There is no policy version ${version}; use ${VERSION_WITH_CONDITIONS}.`;
  return invalidArgument({ field: "options.requested_policy_version", description });
}

function stalePolicy(name: string) {
  return aborted(`The policy of '${name}' was changed since it was read; read it again and repeat the change.`, {
    reason: "ETAG_MISMATCH",
    metadata: { name },
  });
}

function lastAdmin(resource: string) {
  const permission = policyPermission(resource, "setIamPolicy");
  return failedPrecondition(
    `With this policy nobody could change the policy of '${resource}' any more. Keep a member, without a condition, with a role that has ${permission}.`,
    { reason: "LAST_ADMIN", metadata: { resource, permission } },
  );
}
