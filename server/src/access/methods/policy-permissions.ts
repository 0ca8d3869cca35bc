import { policyScopes } from "../policy-scopes.ts";

const PROJECTS = "resourcemanager.projects";
const APPS = "ces.apps";
const RUN_EVALUATION = "ces.apps.runEvaluation";
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

/** The permission with which work about a resource is started, where it is enough to end that work as well; undefined for other work. */
export function startPermission(subject: string, verb: string): string | undefined {
  const isEvaluation = /\/evaluationRuns\/|\/evaluations\/[^/]+\/results\//.test(subject);
  return verb === "cancel" && isEvaluation ? RUN_EVALUATION : undefined;
}

/** All of them. */
export function operationPermissions(verb: string): readonly string[] {
  const ofOperations = [`ces.operations.${verb}`, `geminidataanalytics.operations.${verb}`];
  return verb === "cancel" ? [...ofOperations, RUN_EVALUATION] : ofOperations;
}

function isDataAgent(name: string): boolean {
  return name.includes("/dataAgents/");
}
