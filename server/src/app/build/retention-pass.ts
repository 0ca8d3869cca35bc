import type { DataStores } from "#analytics";
import type { Clock, Logger } from "#base";
import type { Retention } from "#session";
import type { Storage } from "#storage";
import type { A2a } from "./a2a.ts";
import type { Alone } from "./alone.ts";

interface RetentionParts {
  readonly retention: Retention;
  readonly data: DataStores;
  readonly a2a: A2a;
  readonly storage: Pick<Storage, "audit">;
  readonly alone: Alone;
  /** Milliseconds that records of the audit log are kept. */
  readonly auditKeptMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A pass of retention, by one server of a database at a time. One part that fails does not keep the others from their work; the pass rejects with its error then. */
export type RetentionPass = (signal: AbortSignal) => Promise<void>;

/** Creates the pass of everything that is kept for a time. */
export function createRetentionPass(parts: RetentionParts): RetentionPass {
  const { retention, data, a2a, storage, alone, auditKeptMs, clock, logger } = parts;
  const steps: readonly ((signal: AbortSignal) => Promise<object | void>)[] = [
    (signal) => retention.pass(signal),
    async (signal) => ({ data: await data.retention.pass(signal) }),
    async () => ({ audit: await storage.audit.removeBefore(clock.now() - auditKeptMs) }),
    () => a2a.tasks.removeStray(),
  ];
  return (signal) =>
    alone("retention", async () => {
      const done = [];
      for (const step of steps) done.push(...(await Promise.allSettled([step(signal)])));
      logger.info(Object.assign({}, ...done.map((one) => (one.status === "fulfilled" ? one.value : {}))), "retention");
      const failed = done.find((one) => one.status === "rejected");
      if (failed) throw failed.reason;
    });
}
