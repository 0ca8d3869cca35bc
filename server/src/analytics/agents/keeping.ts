import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Clock } from "#base";
import type { ResourceStore } from "#storage";
import { allAgents } from "./list-agents.ts";
import { COMPLETED_REQUEST_TYPE, REMEMBERED_MS } from "./repeats.ts";

/** What one pass took away. */
export interface DataKeepingReport {
  /** Agents that were deleted thirty days ago. */
  readonly purged: number;
  /** Answers to requests with an id, an hour old. */
  readonly forgotten: number;
}

/** The job that ends what is kept for a time only. */
export interface DataKeeping {
  /** Stops between rows when the signal fires; what was done stays done. */
  pass(signal: AbortSignal): Promise<DataKeepingReport>;
}

const BATCH = 100;
const EVERYWHERE = "projects/-/locations/-";

export function createDataKeeping({
  store,
  clock,
}: {
  readonly store: ResourceStore;
  readonly clock: Clock;
}): DataKeeping {
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

  /** The oldest are first, so the first that is young enough ends the search. */
  async function forget(signal: AbortSignal): Promise<number> {
    const until = clock.now() - REMEMBERED_MS;
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
