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
  ClientCall,
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
export {
  collectSources,
  failed as toolFailure,
  type Sources,
  toCitations,
  toolError,
  toSearchSuggestions,
} from "./outcomes.ts";
export { type EntryPointParameter, entryPointArguments, entryPointParameters } from "./python/entry-point-arguments.ts";
export { readPythonContext } from "./python/read-python-context.ts";
export {
  CALLBACK_LIMITS,
  runUserCode,
  type UserCodeCall,
  type UserCodeDeps,
  type UserCodeFailed,
  type UserCodeOutcome,
  type UserCodeReturned,
} from "./python/run-user-code.ts";
export type { RemoteAgentCredential } from "./remote-agent/remote-agent-credentials.ts";
export { fromJsonSchema, toJsonSchema } from "./schema/json-schema.ts";
export { isSystemToolName, type SystemToolName, systemToolDeclaration } from "./system-tool.ts";
export { TOOL_LIMITS, toolLimits } from "./tool-limits.ts";
export { createToolMocks, type RecordedMocks } from "./tool-mocks.ts";
export { toolName } from "./tool-name.ts";
export { memberName } from "./toolset-tool-names.ts";
