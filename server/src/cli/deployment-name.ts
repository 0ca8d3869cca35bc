import type { Client } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import { idOf } from "#aip";
import { CommandError, type CommandInput } from "./command.ts";
import { allPages } from "./server/all-pages.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** What can be the id of a deployment; any other name is its display name alone. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{4,35}$/;

/** The name of a deployment with this id; undefined where it cannot be one. */
export function deploymentOfId(app: string, id: string): string | undefined {
  return ID.test(id) ? `${app}/deployments/${id}` : undefined;
}

/**
 * The resource name of a deployment from a resource name, an id or a display name; only what cannot be an id is looked up, because who may talk may not list
 * deployments. Throws `CommandError` for a display name that no deployment has.
 */
export async function deploymentName(app: string, wanted: string, input: CommandInput): Promise<string> {
  if (wanted.includes("/")) return wanted;
  const known = deploymentOfId(app, wanted);
  if (known) return known;
  const found = await callServer(input, () => findDeployment(app, wanted, clientFor(AgentService, input)));
  if (found) return found.name;
  throw new CommandError(
    `${app} has no deployment '${wanted}'; frontdesk deployments list shows those that there are.`,
  );
}

/** A deployment of an app by its resource name, id or display name. */
export async function findDeployment(
  app: string,
  wanted: string,
  client: Client<typeof AgentService>,
): Promise<Deployment | undefined> {
  const deployments = await allPages(async (pageToken) => {
    const page = await client.listDeployments({ parent: app, pageSize: 1_000, pageToken });
    return { items: page.deployments, nextPageToken: page.nextPageToken };
  });
  return deployments.find(({ name, displayName }) => [name, idOf(name), displayName].includes(wanted));
}
