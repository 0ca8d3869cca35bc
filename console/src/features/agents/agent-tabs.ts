import type { EditSearch } from "../resources/use-tab.ts";

/** The view of an agent's page on which a field is edited, and the line of its code; 0 is none. */
export function tabOfAgentField({ path, line }: { readonly path: string; readonly line: number }): EditSearch {
  if (path.includes("_callbacks"))
    return { tab: "callbacks", at: path.split(".", 1)[0] ?? path, line: line > 0 ? line : undefined };
  if (path.startsWith("transfer_rules") || path.startsWith("child_agents")) return { tab: "transfers" };
  if (path.startsWith("tool")) return { tab: "tools" };
  if (path.startsWith("guardrails") || path.startsWith("model_settings") || path.startsWith("remote_dialogflow"))
    return { tab: "settings" };
  return { tab: "instruction" };
}
