/** What an agent can call: one file per tool kind, how it is declared to the model and how it runs. */
export type { ToolCall, ToolContext, ToolDeclaration, ToolOutcome, ToolStateChange, Tools } from "./contract.ts";
export { createTools, type ToolsDeps } from "./create-tools.ts";
export { toolError } from "./outcomes.ts";
export {
  HOOK_LIMITS,
  type HookCall,
  type HookDeps,
  type HookFailed,
  type HookOutcome,
  type HookReturned,
  runHook,
} from "./python-hook.ts";
export { isSystemToolName, type SystemToolName, systemToolDeclaration } from "./system-tool.ts";
export { toolName } from "./tool-name.ts";
