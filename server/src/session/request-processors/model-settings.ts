import type { RequestProcessor } from "./request-processors.ts";

/** The temperature that agent, ancestors or app set; the provider's own otherwise. */
export const modelSettings: RequestProcessor = (request, { agent }) =>
  agent.temperature === undefined ? request : { ...request, temperature: agent.temperature };
