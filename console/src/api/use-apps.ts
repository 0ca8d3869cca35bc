import { useQuery } from "@connectrpc/connect-query";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { App } from "@frontdesk/protos/ces/app";

/** Every app the server has, in all its projects and locations, by display name. `every`: milliseconds until they are read again; absent: once. */
export function useApps({ every }: { readonly every?: number } = {}) {
  return useQuery(
    AgentService.method.listApps,
    { parent: "projects/-/locations/-", pageSize: 1000 },
    { select: ({ apps }) => byDisplayName(apps), refetchInterval: every ?? false },
  );
}

function byDisplayName(apps: readonly App[]): readonly App[] {
  return apps.toSorted((left, right) => left.displayName.localeCompare(right.displayName));
}
