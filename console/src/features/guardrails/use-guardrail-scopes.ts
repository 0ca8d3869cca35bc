import type { Agent } from "@frontdesk/protos/ces/agent";
import type { App } from "@frontdesk/protos/ces/app";
import { resourceTitle } from "../../api/resource-names.ts";
import { agents, apps } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";

interface GuardrailScopes {
  readonly found: App | undefined;
  /** `guardrailScope` of a guardrail; undefined until the app and its agents were read. */
  scopeOf(guardrail: string): string | undefined;
}

/** To which agents the guardrails of an app apply. */
export function useGuardrailScopes(app: string): GuardrailScopes {
  const found = useResource(apps, app).data;
  const all = useResources(agents, app).data;
  return { found, scopeOf: (guardrail) => found && all && guardrailScope(guardrail, found, all) };
}

/** The agents to which a guardrail applies, in words: "All agents", their names, or "" when neither the app nor an agent lists it. */
function guardrailScope(
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
