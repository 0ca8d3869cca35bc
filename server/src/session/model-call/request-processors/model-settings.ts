import type { RequestProcessor } from "./request-processors.ts";

/** The temperature that agent, ancestors or app set, and what guardrails want refused; the provider's own otherwise. */
export const modelSettings: RequestProcessor = (request, { agent: { temperature, safetySettings } }) => ({
  ...request,
  ...(temperature !== undefined && { temperature }),
  ...(safetySettings.length > 0 && { safetySettings }),
});
