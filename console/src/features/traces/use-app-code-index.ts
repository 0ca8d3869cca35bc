import { agents, guardrails, tools } from "../../api/resource-types.ts";
import { useResources } from "../../api/use-resources.ts";
import type { AppCodeIndex } from "./app-code-index.ts";

/** What a trace of an app speaks of, as it is now: to show its code, and to lead to where it is edited. */
export function useAppCodeIndex(app: string): AppCodeIndex {
  return {
    agents: useResources(agents, app).data ?? NONE,
    tools: useResources(tools, app).data ?? NONE,
    guardrails: useResources(guardrails, app).data ?? NONE,
  };
}

/** The same list each time, so that nothing is computed anew for it. */
const NONE: readonly never[] = [];
