import { agentService } from "../agent-service.ts";
import { allPages } from "../resource-kind.ts";
import { tools } from "./tools.ts";

/** Everything an agent can list as a tool: those of the app, and the system's, which exist in every app. */
export const offeredTools = {
  collection: "offeredTools",
  list: (parent: string) =>
    allPages(async (pageToken) => {
      const filter = "include_system_tools=true";
      const page = await agentService.listTools({ parent, pageSize: 1000, pageToken, filter });
      return { items: page.tools, next: page.nextPageToken };
    }),
  get: tools.get,
};
