import { clone, equals } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ContextSchema } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import type { DataAnalyticsAgent } from "@frontdesk/protos/gda/data_analytics_agent";
import { applyUpdate, withoutOutputOnly } from "#aip";
import { failedPrecondition, invalidArgument } from "#status";
import { agentViolations } from "./check-agent.ts";

/** Milliseconds that a deleted agent is kept, its id taken (CA-3). */
export const KEPT_DELETED_MS = 30 * 24 * 3_600_000;

/** What a client may set of an agent. INVALID_ARGUMENT where none was sent. */
export function sentAgent(agent: DataAgent | undefined): DataAgent {
  if (!agent) throw invalidArgument({ field: "data_agent", description: "Required field is not set." });
  const own = clone(DataAgentSchema, withoutOutputOnly(DataAgentSchema, agent));
  if (own.type.case === "dataAnalyticsAgent") delete own.type.value.lastPublishedContext;
  return own;
}

/** INVALID_ARGUMENT with all that is wrong with an agent. */
export function refuseFaulty(agent: DataAgent): void {
  const violations = agentViolations(agent);
  if (violations.length > 0) throw invalidArgument(violations);
}

/** AIP-134; what was published before is kept as last published (CA-4). */
export function updatedAgent(
  stored: DataAgent,
  incoming: DataAgent,
  paths: readonly string[],
  updateTime: DataAgent["updateTime"],
): DataAgent {
  if (stored.deleteTime) throw deletedAgent(stored.name, "cannot be changed");
  const after = applyUpdate(DataAgentSchema, stored, incoming, paths);
  const [before, next] = [contextsOf(stored), contextsOf(after)];
  if (next) {
    const last = isSamePublished(before, next) ? before?.lastPublishedContext : before?.publishedContext;
    if (last) next.lastPublishedContext = last;
    else delete next.lastPublishedContext;
  }
  refuseFaulty(after);
  if (updateTime) after.updateTime = updateTime;
  return after;
}

function contextsOf({ type }: DataAgent): DataAnalyticsAgent | undefined {
  return type.case === "dataAnalyticsAgent" ? type.value : undefined;
}

/** Also where nothing was published before: there is nothing to keep then. */
function isSamePublished(before: DataAnalyticsAgent | undefined, next: DataAnalyticsAgent): boolean {
  if (!before?.publishedContext) return true;
  return next.publishedContext !== undefined && equals(ContextSchema, before.publishedContext, next.publishedContext);
}

/** An agent marked as deleted at `now`, in milliseconds of the epoch, and when it will be gone. */
export function deletedAt(stored: DataAgent, now: number): DataAgent {
  if (stored.deleteTime) throw deletedAgent(stored.name, "is deleted already");
  const after = clone(DataAgentSchema, stored);
  after.deleteTime = timestampFromMs(now);
  after.purgeTime = timestampFromMs(now + KEPT_DELETED_MS);
  return after;
}

/** FAILED_PRECONDITION: the agent is there for its last thirty days only. */
export function deletedAgent(name: string, what: string) {
  return failedPrecondition(`The data agent '${name}' was deleted and ${what}. Create another one with a new id.`, {
    reason: "DATA_AGENT_DELETED",
    metadata: { name },
  });
}
