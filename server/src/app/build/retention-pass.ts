import type { DataStores } from "#analytics";
import type { Clock, Logger } from "#base";
import type { Retention } from "#session";
import type { Storage } from "#storage";
import type { A2a } from "./a2a.ts";
import type { ClockWatch } from "./clock-watch.ts";
import type { RunExclusively } from "./exclusive-runner.ts";
import { createResealing } from "./reseal-secrets.ts";
import type { SharedToolFiles } from "./shared-tool-files.ts";

interface RetentionParts {
  readonly retention: Retention;
  readonly data: DataStores;
  readonly a2a: A2a;
  readonly toolFiles: Pick<SharedToolFiles, "removeStray">;
  readonly storage: Pick<Storage, "audit" | "blobs" | "credentials" | "operations">;
  readonly runExclusively: RunExclusively;
  readonly clockWatch: Pick<ClockWatch, "doubt" | "confirm">;
  /** Milliseconds that records of the audit log are kept. */
  readonly auditKeptMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A pass of retention, by one server of a database at a time. One part that fails does not keep the others from their work; the pass rejects with its error then. Nothing
 * is erased, and the pass rejects, while the clock is doubted (DB-25).
 */
export type RetentionPass = (signal: AbortSignal) => Promise<void>;

/** Credentials that have expired are kept for a day, so that a list shows why a program fails. Milliseconds. */
const CREDENTIALS_KEPT_MS = 24 * 3_600_000;
/** An operation that is done is kept for thirty days from its beginning, in milliseconds; a dead letter until somebody deletes it or begins it again. */
const OPERATIONS_KEPT_MS = 30 * 24 * 3_600_000;
/** Blobs, or operations with their answers of up to some megabytes, that one write removes. */
const BATCH = 100;

/** Creates the pass of everything that is kept for a time (DB-18). */
export function createRetentionPass(parts: RetentionParts): RetentionPass {
  const { retention, data, a2a, toolFiles, storage, runExclusively, clockWatch, auditKeptMs, clock, logger } = parts;
  const reseal = createResealing({ data, a2a, logger });
  const erasing: readonly ((signal: AbortSignal) => Promise<object | void>)[] = [
    (signal) => retention.pass(signal),
    async (signal) => ({ data: await data.retention.pass(signal) }),
    async () => ({ audit: await storage.audit.removeBefore(clock.now() - auditKeptMs) }),
    () => a2a.tasks.removeStray(),
    async (signal) => ({ toolFiles: await toolFiles.removeStray(signal) }),
    async () => ({ credentials: await storage.credentials.removeExpired(clock.now() - CREDENTIALS_KEPT_MS) }),
    async (signal) => ({ blobs: await inBatches(signal, () => storage.blobs.removeEnded(clock.now(), BATCH)) }),
    async (signal) => {
      const before = clock.now() - OPERATIONS_KEPT_MS;
      return { operations: await inBatches(signal, () => storage.operations.removeDone(before, BATCH)) };
    },
  ];
  return (signal) =>
    runExclusively("retention", async () => {
      const doubt = await clockWatch.doubt();
      const done = [];
      for (const step of doubt ? [reseal] : [reseal, ...erasing])
        done.push(...(await Promise.allSettled([step(signal)])));
      logger.info(Object.assign({}, ...done.map((one) => (one.status === "fulfilled" ? one.value : {}))), "retention");
      const failed = done.find((one) => one.status === "rejected");
      if (failed) throw failed.reason;
      if (doubt) throw doubt;
      await clockWatch.confirm();
    });
}

/** Removes until fewer than a batch were left. Returns how many there were. */
async function inBatches(signal: AbortSignal, remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const count = await remove();
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}
