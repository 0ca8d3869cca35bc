import { policyScopes } from "../policy-scopes.ts";

const PROJECTS = "resourcemanager.projects";
const APPS = "ces.apps";
const DATA_AGENTS = "geminidataanalytics.dataAgents";

/** The permission for the policy of a resource, e.g. `ces.apps.setIamPolicy`. */
export function policyPermission(resource: string, verb: string): string {
  const { resource: scope } = policyScopes(resource);
  if (scope === "") return `${PROJECTS}.${verb}`;
  return `${isDataAgent(scope) ? DATA_AGENTS : APPS}.${verb}`;
}

/** All of them. */
export function policyPermissions(verb: string): readonly string[] {
  return [PROJECTS, APPS, DATA_AGENTS].map((collection) => `${collection}.${verb}`);
}

/** The permission for a long-running operation about a resource. */
export function operationPermission(subject: string, verb: string): string {
  return `${isDataAgent(subject) ? "geminidataanalytics" : "ces"}.operations.${verb}`;
}

/** All of them. */
export function operationPermissions(verb: string): readonly string[] {
  return [`ces.operations.${verb}`, `geminidataanalytics.operations.${verb}`];
}

function isDataAgent(name: string): boolean {
  return name.includes("/dataAgents/");
}
