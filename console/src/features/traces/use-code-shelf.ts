import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { CodeShelf } from "./code-place.ts";

/** Agents and tools of an app as they are now, to show the code that a trace speaks of. */
export function useCodeShelf(app: string): CodeShelf {
  const agents = useQuery(AgentService.method.listAgents, { parent: app, pageSize: 1000 }).data?.agents ?? [];
  const tools = useQuery(AgentService.method.listTools, { parent: app, pageSize: 1000 }).data?.tools ?? [];
  return { agents, tools };
}
