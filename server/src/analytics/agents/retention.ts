import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Clock } from "#base";
import type { ResourceStore } from "#storage";
import { COMPLETED_REQUEST_TYPE, REQUEST_RETENTION_MS } from "./idempotency-store.ts";
import { allAgents } from "./list-agents.ts";

/** Counts of one retention pass. */
interface DataRetentionReport {
  /** Agents that were deleted thirty days ago. */
  readonly purged: number;
  /** Responses of requests with an id, older than an hour. */
  readonly forgotten: number;
}

/** The job that deletes what has reached its retention period. */
export interface DataRetention {
  /** Deletes what is due. Stops between rows when the signal is aborted. */
  pass(signal: AbortSignal): Promise<DataRetentionReport>;
}

const BATCH = 100;
const EVERYWHERE = "projects/-/locations/-";

/** Purges agents thirty days after they were deleted, and forgets responses of requests with an id after an hour. */
export function createDataRetention({
  store,
  clock,
}: {
  readonly store: ResourceStore;
  readonly clock: Clock;
}): DataRetention {
  async function purge(signal: AbortSignal): Promise<number> {
    const now = clock.now();
    const due = (await allAgents(store, EVERYWHERE)).filter(
      ({ purgeTime }) => purgeTime && timestampMs(purgeTime) <= now,
    );
    let purged = 0;
    for (const { name } of due) {
      if (signal.aborted) break;
      await store.write([{ kind: "delete-tree", prefix: name }]);
      purged += 1;
    }
    return purged;
  }

  /** Deletes the oldest first, and stops at the first one that is not due. */
  async function forget(signal: AbortSignal): Promise<number> {
    const until = clock.now() - REQUEST_RETENTION_MS;
    let forgotten = 0;
    while (!signal.aborted) {
      const { rows } = await store.list({
        type: COMPLETED_REQUEST_TYPE,
        parent: EVERYWHERE,
        orderBy: "create_time",
        descending: false,
        limit: BATCH,
      });
      const old = rows.filter(({ createTime }) => createTime <= until);
      await store.write(old.map(({ name }) => ({ kind: "delete", name })));
      forgotten += old.length;
      if (old.length < BATCH) break;
    }
    return forgotten;
  }

  return { pass: async (signal) => ({ purged: await purge(signal), forgotten: await forget(signal) }) };
}
