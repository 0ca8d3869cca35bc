/** Collections whose deleted resources can be made anew from what the changelog kept of them, each with the parameter that gives them their id. */
export const ID_PARAMETERS: Readonly<Record<string, string>> = {
  agents: "agentId",
  tools: "toolId",
  toolsets: "toolsetId",
  guardrails: "guardrailId",
  examples: "exampleId",
  deployments: "deploymentId",
  evaluations: "evaluationId",
};

/** Whether the changelog can restore a resource of this name. */
export function isRestorable(name: string): boolean {
  return collectionOf(name) in ID_PARAMETERS;
}

/** `tools` of `projects/…/apps/…/tools/…`; "" for what is not directly below an app. */
export function collectionOf(name: string): string {
  return /^(?:[^/]+\/){6}([a-zA-Z]+)\/[^/]+$/.exec(name)?.[1] ?? "";
}
