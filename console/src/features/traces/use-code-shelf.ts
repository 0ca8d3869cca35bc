import { agents } from "../../api/kinds/agents.ts";
import { guardrails } from "../../api/kinds/guardrails.ts";
import { tools } from "../../api/kinds/tools.ts";
import { useResources } from "../../api/use-resources.ts";
import type { CodeShelf } from "./code-place.ts";

/** What a trace of an app speaks of, as it is now: to show its code, and to lead to where it is edited. */
export function useCodeShelf(app: string): CodeShelf {
  return {
    agents: useResources(agents, app).data ?? NONE,
    tools: useResources(tools, app).data ?? NONE,
    guardrails: useResources(guardrails, app).data ?? NONE,
  };
}

/** The same list each time, so that nothing is computed anew for it. */
const NONE: readonly never[] = [];
