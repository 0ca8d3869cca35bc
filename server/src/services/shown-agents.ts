import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { ListAccessibleDataAgentsRequest_CreatorFilter as CreatorFilter } from "@frontdesk/protos/gda/data_agent_service";
import type { DataAgents } from "#analytics";
import type { DataCaller, DataCallers } from "./data-callers.ts";

/** Lets those agents through that a caller may see, of those that they made, or that others made. */
export function shownTo(
  caller: DataCaller,
  { known }: Pick<DataCallers, "known">,
  agents: Pick<DataAgents, "access">,
  creators: CreatorFilter = CreatorFilter.NONE,
): (listed: readonly DataAgent[]) => Promise<readonly DataAgent[]> {
  const isWanted = (creator: string): boolean => {
    if (creators === CreatorFilter.CREATOR_ONLY) return creator === caller.principal;
    return creators !== CreatorFilter.NOT_CREATOR_ONLY || creator !== caller.principal;
  };
  return async (listed) => {
    if (!known && isWanted(caller.principal)) return listed;
    const accesses = await Promise.all(listed.map(({ name }) => agents.access(name)));
    return listed.filter((_, at) => {
      const access = accesses[at];
      return access !== undefined && isWanted(access.creator) && caller.may("dataAgents.get", access);
    });
  };
}
