/** What an agent can call: one file per tool kind, how it is declared to the model and how it runs. */
export type { ToolCall, ToolContext, ToolDeclaration, ToolOutcome, Tools, ToolStateChange } from "./contract.ts";
