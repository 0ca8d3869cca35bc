import { equals } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ContextSchema, type ExampleQuery } from "@frontdesk/protos/gda/context";
import { type DataAgent, DataAgentSchema } from "@frontdesk/protos/gda/data_agent";
import type { DataAnalyticsAgent } from "@frontdesk/protos/gda/data_analytics_agent";
import { applyUpdate, deepCopy, withoutOutputOnly } from "#aip";
import { createPauses } from "#base";
import { aborted, failedPrecondition, invalidArgument } from "#status";
import { agentViolations } from "./validate-agent.ts";

/** Milliseconds until a deleted agent is purged; its id is not free until then (CA-3). */
const DELETED_RETENTION_MS = 30 * 24 * 3_600_000;

/** The fields of an agent that a client may set. INVALID_ARGUMENT without an agent. */
export function clientAgent(agent: DataAgent | undefined): DataAgent {
  if (!agent) throw invalidArgument({ field: "data_agent", description: "Required field is not set." });
  const own = deepCopy(withoutOutputOnly(DataAgentSchema, agent));
  if (own.type.case === "dataAnalyticsAgent") delete own.type.value.lastPublishedContext;
  return own;
}

/** Throws INVALID_ARGUMENT with all field violations of an agent. */
export async function rejectInvalidAgent(agent: DataAgent): Promise<void> {
  const violations = await agentViolations(agent);
  if (violations.length > 0) throw invalidArgument(violations);
}

/** Throws ABORTED where an update names another state than the stored one (AIP-154). Without an etag it overwrites. */
export function rejectStaleAgent(stored: DataAgent, { etag }: DataAgent): void {
  if (etag === "" || etag === stored.etag) return;
  throw aborted(
    `The etag of '${stored.name}' is not the stored one. Read the data agent again and repeat the change.`,
    {
      reason: "ETAG_MISMATCH",
      metadata: { name: stored.name },
    },
  );
}

/** Applies an update (AIP-134); other calls run between the steps for a long one. The previous published context becomes the last published one (CA-4). */
export async function updatedAgent(
  stored: DataAgent,
  incoming: DataAgent,
  paths: readonly string[],
  updateTime: DataAgent["updateTime"],
): Promise<DataAgent> {
  if (stored.deleteTime) throw agentDeletedError(stored.name, "cannot be changed");
  const pause = createPauses();
  const after = applyUpdate(DataAgentSchema, stored, incoming, paths);
  await pause();
  const [before, next] = [contextsOf(stored), contextsOf(after)];
  if (next) {
    const last = isSamePublished(before, next) ? before?.lastPublishedContext : before?.publishedContext;
    if (last) next.lastPublishedContext = last;
    else delete next.lastPublishedContext;
  }
  await pause();
  await rejectInvalidAgent(after);
  if (updateTime) after.updateTime = updateTime;
  return after;
}

/** The fields that an example query is added to. */
export const EXAMPLE_PATHS = ["published_context", "staging_context"].map(
  (context) => `data_analytics_agent.${context}`,
);

/** The agent with one more example query in each of its contexts; one for the same question is replaced. */
export function withExample(stored: DataAgent, example: ExampleQuery): DataAgent {
  const after = deepCopy(stored);
  for (const context of [contextsOf(after)?.publishedContext, contextsOf(after)?.stagingContext]) {
    if (!context) continue;
    const others = context.exampleQueries.filter(
      ({ naturalLanguageQuestion }) => naturalLanguageQuestion !== example.naturalLanguageQuestion,
    );
    context.exampleQueries = [...others, example];
  }
  return after;
}

function contextsOf({ type }: DataAgent): DataAnalyticsAgent | undefined {
  return type.case === "dataAnalyticsAgent" ? type.value : undefined;
}

/** Also true where nothing was published before. */
function isSamePublished(before: DataAnalyticsAgent | undefined, next: DataAnalyticsAgent): boolean {
  if (!before?.publishedContext) return true;
  return next.publishedContext !== undefined && equals(ContextSchema, before.publishedContext, next.publishedContext);
}

/** An agent marked as deleted at `now`, in milliseconds of the epoch, and when it will be gone. */
export function markDeleted(stored: DataAgent, now: number): DataAgent {
  if (stored.deleteTime) throw agentDeletedError(stored.name, "cannot be deleted again");
  const after = deepCopy(stored);
  after.deleteTime = timestampFromMs(now);
  after.purgeTime = timestampFromMs(now + DELETED_RETENTION_MS);
  return after;
}

/** FAILED_PRECONDITION for an agent that is deleted and not yet purged. */
export function agentDeletedError(name: string, what: string) {
  return failedPrecondition(`The data agent '${name}' was deleted and ${what}. Create another one with a new id.`, {
    reason: "DATA_AGENT_DELETED",
    metadata: { name },
  });
}
