import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Agents of an app. */
export const agents: ResourceKind<Agent> = {
  collection: "agents",
  singular: "agent",
  field: "agent",
  schema: AgentSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listAgents({ parent, pageSize: 1000, pageToken });
      return { items: page.agents, next: page.nextPageToken };
    }),
  get: (name) => agentService.getAgent({ name }),
  create: (parent, agent) => agentService.createAgent({ parent, agent }),
  update: (agent, paths) => agentService.updateAgent({ agent, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteAgent({ name, etag, force });
  },
};
