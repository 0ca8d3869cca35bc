/** The tools that agents call: how each kind is declared to the model, validated and executed. */

export { connectionProblem } from "./connector/connections.ts";
export type {
  ConnectorsConfig,
  HttpConnectionConfig,
} from "./connector/connectors-config.ts";
export type {
  AgentAnswer,
  CitedSource,
  ClientCall,
  NestedCall,
  RemoteFile,
  RunAgent,
  ToolCall,
  ToolContext,
  ToolDeclaration,
  ToolMocks,
  ToolOutcome,
  ToolStateChange,
  Tools,
  ToolsetMember,
} from "./contract.ts";
export { createTools } from "./create-tools.ts";
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
  type UserCodeFailed,
  type UserCodeOutcome,
  type UserCodeReturned,
} from "./python/run-user-code.ts";
export type { RemoteAgentCredential } from "./remote-agent/remote-agent-credentials.ts";
export { fromJsonSchema } from "./schema/json-schema.ts";
export { isSystemToolName, systemToolDeclaration } from "./system-tool.ts";
export { TOOL_LIMITS, toolLimits } from "./tool-limits.ts";
export { createToolMocks } from "./tool-mocks.ts";
export { toolName } from "./tool-name.ts";
export { findByName, memberName } from "./toolset-tool-names.ts";
