/** What an agent can call: one file per tool kind, how it is declared to the model and how it runs. */

export { connectionProblem } from "./connector/connections.ts";
export {
  type ConnectorsConfig,
  type GoogleConnectors,
  type HttpConnectionConfig,
  NO_CONNECTORS,
} from "./connector/connectors-config.ts";
export type {
  AgentAnswer,
  CitedSource,
  HandedTool,
  NestedCall,
  RunAgent,
  SearchSuggestions,
  ToolCall,
  ToolContext,
  ToolDeclaration,
  ToolMocks,
  ToolOutcome,
  ToolPlace,
  ToolStateChange,
  Tools,
  ToolsetMember,
} from "./contract.ts";
export { createTools, type ToolsDeps } from "./create-tools.ts";
export { fromJsonSchema } from "./from-json-schema.ts";
export { type HookParameter, hookArguments, hookParameters } from "./hook-arguments.ts";
export { toJsonSchema } from "./json-schema.ts";
export { memberName } from "./member-names.ts";
export { failed as toolFailure, toolError } from "./outcomes.ts";
export { limitsOf, TOOL_LIMITS } from "./python-function.ts";
export {
  HOOK_LIMITS,
  type HookCall,
  type HookDeps,
  type HookFailed,
  type HookOutcome,
  type HookReturned,
  runHook,
} from "./python-hook.ts";
export { readPythonContext } from "./read-python-context.ts";
export type { RemoteAgentCredential } from "./remote-agent/credentials.ts";
export { citationsOf, type Sources, sourcesOf, suggestionsOf } from "./sources.ts";
export { isSystemToolName, type SystemToolName, systemToolDeclaration } from "./system-tool.ts";
export { createToolMocks, type RecordedMocks } from "./tool-mocks.ts";
export { toolName } from "./tool-name.ts";
export type { ToolsetContext } from "./toolset-kind.ts";
