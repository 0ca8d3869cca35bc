import { create } from "@bufbuild/protobuf";
import { type Binding, BindingSchema, PolicySchema } from "@frontdesk/protos/google/iam/v1/policy";
import { z } from "zod";
import { type AccessMode, createRoles, policyViolations, type Roles } from "#access";
import { definedFields } from "#base";
import type { AuthenticationSettings } from "#identity";
import { requireAllRead } from "./config-values.ts";
import type { Identity } from "./identities-section.ts";

const RoleSchema = z.strictObject({
  title: z.string().optional(),
  permissions: z.array(z.string()).optional(),
  except: z.array(z.string()).optional(),
  includes: z.array(z.string()).optional(),
});

/** The section `access` of the config file: who may do what on the whole server, and roles of the operator's own. */
export const AccessSectionSchema = z.strictObject({
  roles: z.record(z.string(), RoleSchema).optional(),
  bindings: z
    .array(z.strictObject({ role: z.string(), members: z.array(z.string()), condition: z.string().optional() }))
    .optional(),
});

/** Who may do what, as the operator says. */
export interface AccessConfig {
  /** The predefined roles and the operator's own. */
  readonly roles: Roles;
  /** Bindings on the server, which every project inherits. */
  readonly bindings: readonly Binding[];
}

/** The section as settings. `fault` creates the error for a message. */
export function accessConfig(
  section: z.infer<typeof AccessSectionSchema> = {},
  fault: (sentence: string) => Error,
): AccessConfig {
  const { roles: custom = {}, bindings: given = [], ...unread } = section;
  requireAllRead(unread);
  const definitions = Object.entries(custom).map(([name, { title = name, permissions = [], except, includes }]) => [
    name,
    { title, permissions, ...definedFields({ except, includes }) },
  ]);
  const roles = createRoles(Object.fromEntries(definitions), (sentence) => fault(`access.roles: ${sentence}`));
  const bindings = given.map(({ role, members, condition: expression }) =>
    create(BindingSchema, { role, members, ...(expression !== undefined && { condition: { expression } }) }),
  );
  const [violation] = policyViolations(create(PolicySchema, { version: 3, bindings }), roles);
  if (violation) throw fault(`access.${violation.field.replace(/^policy\./, "")}: ${violation.description}`);
  return { roles, bindings };
}

/** Calls of which services need a permission: all when callers must be known, those of data when there are identities. */
export function accessMode({ mode }: AuthenticationSettings, identities: readonly Identity[]): AccessMode {
  if (mode === "required") return "all";
  return identities.length > 0 ? "data" : "open";
}

/** The bindings on the server, those of identities included. */
export function serverBindings({ bindings }: AccessConfig, identities: readonly Identity[]): readonly Binding[] {
  const ofIdentities = identities.flatMap(({ principal, roles }) =>
    roles.map((role) => create(BindingSchema, { role, members: [principal] })),
  );
  return [...bindings, ...ofIdentities];
}
