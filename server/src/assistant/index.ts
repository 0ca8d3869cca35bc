/** The assistant that helps to build apps: sessions, turns with proposals, confirmations. See README.md. */
export type { Assistant, AssistantCaller, AssistantInput } from "./contract.ts";
export { createAssistant } from "./create-assistant.ts";
