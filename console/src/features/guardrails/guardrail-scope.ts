import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { resourceTitle } from "../../api/resource-names.ts";

/** The agents to which a guardrail applies, in words: "All agents", their names, or "" when neither the app nor an agent lists it. */
export function guardrailScope(
  guardrail: string,
  app: Pick<App, "guardrails">,
  agents: readonly Pick<Agent, "name" | "displayName" | "guardrails">[],
): string {
  if (app.guardrails.includes(guardrail)) return "All agents";
  return agents
    .filter(({ guardrails }) => guardrails.includes(guardrail))
    .map(resourceTitle)
    .join(", ");
}
