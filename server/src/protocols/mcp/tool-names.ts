/**
 * The tools of the hosted MCP server that only read, in its documented order. `tools/list` keeps this order, so that
 * what clients cache stays valid. A name is the method's in snake_case; `get_operation` is the mixin's.
 */
export const READ_TOOLS: readonly string[] = [
  "list_apps",
  "get_app",
  "list_agents",
  "get_agent",
  "list_tools",
  "get_tool",
  "list_guardrails",
  "get_guardrail",
  "list_deployments",
  "get_deployment",
  "list_toolsets",
  "get_toolset",
  "list_app_versions",
  "get_app_version",
  "list_changelogs",
  "get_changelog",
  "get_evaluation",
  "list_evaluations",
  "get_evaluation_dataset",
  "list_evaluation_datasets",
  "get_evaluation_result",
  "list_evaluation_results",
  "get_evaluation_run",
  "list_evaluation_runs",
  "get_conversation",
  "list_conversations",
  "get_operation",
];

/** `ListAppVersions` → `list_app_versions`. */
export function toolNameOf(methodName: string): string {
  return methodName.replace(/[A-Z]/g, (letter, index: number) => `${index > 0 ? "_" : ""}${letter.toLowerCase()}`);
}
