import type { App } from "@frontdesk/protos/ces/app";
import { agents, apps } from "../../api/resource-types.ts";
import { useResource, useResources } from "../../api/use-resources.ts";
import { guardrailScope } from "./guardrail-scope.ts";

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
