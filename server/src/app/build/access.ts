import { type Access, createAccess, createResourcePolicies, type ResourcePolicies } from "#access";
import type { Operations } from "#operations";
import { isWidgetRequest } from "#services";
import { accessMode } from "../config/access-section.ts";
import type { Platform } from "./platform.ts";

interface AccessControl {
  readonly access: Access;
  readonly policies: ResourcePolicies;
}

/** Creates what decides who may do what, and what reads and writes policies. */
export function createAccessControl(
  { config, storage, policyBook: book, clock }: Pick<Platform, "config" | "storage" | "policyBook" | "clock">,
  operations: Pick<Operations, "subjectOf">,
): AccessControl {
  const store = storage.resources;
  const access = createAccess({
    mode: accessMode(config.auth, config.identities),
    book,
    store,
    clock,
    operationSubject: (name) => operations.subjectOf(name),
    isExempt: isWidgetRequest,
  });
  return { access, policies: createResourcePolicies({ book, access, roles: config.access.roles, store }) };
}
