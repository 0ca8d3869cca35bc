/**
 * The tools of the hosted MCP server, in its documented order (MCP-1). `tools/list` keeps this order, so that
 * caches of clients stay valid. A name is that of the method in snake_case, except for `RENAMED` and the MCP-only tools.
 */
export const HOSTED_TOOLS: readonly string[] = [
  ...resource("app", "apps"),
  ...resource("agent", "agents"),
  ...resource("tool", "tools"),
  ...resource("guardrail", "guardrails"),
  ...resource("deployment", "deployments"),
  ...resource("toolset", "toolsets"),
  "list_app_versions",
  "get_app_version",
  "create_app_version",
  "delete_app_version",
  "restore_app_version",
  "list_changelogs",
  "get_changelog",
  "start_export_app",
  "start_import_app",
  "run_evaluation",
  "create_evaluation",
  "get_evaluation",
  "list_evaluations",
  "update_evaluation",
  "delete_evaluation",
  "generate_evaluation_from_conversation",
  "create_evaluation_dataset",
  "get_evaluation_dataset",
  "list_evaluation_datasets",
  "update_evaluation_dataset",
  "delete_evaluation_dataset",
  "get_evaluation_result",
  "list_evaluation_results",
  "delete_evaluation_result",
  "get_evaluation_run",
  "list_evaluation_runs",
  "delete_evaluation_run",
  "get_conversation",
  "list_conversations",
  "get_operation",
];

/** Methods whose hosted tool has another name. */
const RENAMED: ReadonlyMap<string, string> = new Map([["GenerateEvaluation", "generate_evaluation_from_conversation"]]);

function resource(one: string, many: string): readonly string[] {
  return [`list_${many}`, `get_${one}`, `create_${one}`, `update_${one}`, `delete_${one}`];
}

/** `ListAppVersions` → `list_app_versions` (MCP-2). */
export function toolNameOf(methodName: string): string {
  return (
    RENAMED.get(methodName) ??
    methodName.replace(/[A-Z]/g, (letter, index: number) => `${index > 0 ? "_" : ""}${letter.toLowerCase()}`)
  );
}
