import type { Clock, JsonObject, Logger } from "#base";
import { ConnectError, toStatusError } from "#status";
import type { ExportStore, Job, JobEnd, JobQueues, StoredExport } from "#storage";
import { createFaultLog } from "../fault-log.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { httpStatus, type Send } from "./senders.ts";

interface DeliveryDeps {
  readonly store: ExportStore;
  readonly jobs: JobQueues;
  /** How to send to a destination; undefined when its service is not configured. */
  readonly senderOf: (destination: string) => Send | undefined;
  readonly metrics: Pick<Metrics, "exports">;
  /** Whether nothing may be removed because of its age (DB-25). Default: it may. */
  readonly isClockDoubted?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds from a wake-up to the delivery, in which rows of several turns gather. Default 1,000. */
  readonly delayMs?: number;
}

/** Delivers the rows that wait in the store. */
interface Delivery {
  /** Rows were added or may have been. Returns at once. */
  wake(): void;
  /** Stops; what is not delivered stays in the store for the next start. */
  close(): Promise<void>;
}

/** Rows of one request. */
const BATCH = { rows: 500, bytes: 5 * 1024 * 1024 };
/** Destinations to which one server delivers at the same time. */
const AT_ONCE = 10;
/** Pauses after a delivery that failed, and until a destination is looked at again that some server delivers to, in milliseconds. */
const PAUSES = { firstPauseMs: 5_000, longestPauseMs: 300_000 };
/** A row that waited for this long is removed once it cannot be delivered. */
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Creates the delivery (CONV-16). Each row is sent at least once, the rows of a destination in order; destinations do not wait for each other, and each is a job
 * that one server has at a time. One that fails is tried again after a growing pause.
 */
export async function createDelivery(deps: DeliveryDeps): Promise<Delivery> {
  const { store, jobs, logger, delayMs = 1_000 } = deps;
  const stop = new AbortController();
  const delivering = new Set<Promise<JobEnd>>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const log = createFaultLog("the export of conversations", logger);
  const queue = await jobs.open({
    ...{ name: "exports", concurrency: AT_ONCE, ...PAUSES },
    run: async (job) => {
      const delivered = deliver(deps, job, stop.signal);
      delivering.add(delivered);
      return delivered.finally(() => delivering.delete(delivered));
    },
  });

  function wake(): void {
    again = running !== undefined;
    schedule(delayMs);
  }

  function schedule(inMs: number): void {
    if (timer || running || stop.signal.aborted) return;
    timer = setTimeout(run, inMs).unref();
  }

  function run(): void {
    timer = undefined;
    again = false;
    running = addAll()
      .then(
        (isAll) => {
          log.passed();
          return isAll;
        },
        (error: unknown) => {
          log.failed(error);
          return false;
        },
      )
      .then((isAll) => {
        running = undefined;
        if (again) schedule(delayMs);
        else if (!isAll) schedule(PAUSES.firstPauseMs);
      });
  }

  /** False when a destination has a job already: it may have read its rows before these were stored. */
  async function addAll(): Promise<boolean> {
    const added = await Promise.all((await store.destinations()).map((destination) => queue.add(destination)));
    return added.every(Boolean);
  }

  return {
    wake,
    close: async () => {
      stop.abort();
      clearTimeout(timer);
      await Promise.allSettled([running, ...delivering]);
    },
  };
}

/** Delivers all rows of a destination. */
async function deliver(deps: DeliveryDeps, { key: destination, again }: Job, signal: AbortSignal): Promise<JobEnd> {
  try {
    while (!signal.aborted) if (!(await deliverBatch(deps, destination, signal))) return "done";
    return await leave(again);
  } catch (error) {
    if (signal.aborted) return leave(again);
    deps.metrics.exports.inc({ service: serviceOf(destination), outcome: "failed" });
    const due = await again(toStatusError(error).message);
    const dueTime = new Date(due).toISOString();
    deps.logger.error({ err: error, destination, dueTime }, "conversations could not be exported; they wait");
    await removeExpired(deps, destination);
    return "again";
  }
}

/** Another server goes on with a destination, or the next start. */
async function leave(again: Job["again"]): Promise<JobEnd> {
  await again("the server stops");
  return "again";
}

/** Sends the oldest rows; false when none waits. */
async function deliverBatch(deps: DeliveryDeps, destination: string, signal: AbortSignal): Promise<boolean> {
  const rows = await deps.store.next(destination, BATCH);
  if (rows.length === 0) return false;
  const send = deps.senderOf(destination);
  if (!send) throw new Error("the service of this destination is no longer in the config file");
  const rejected = await sendHalving(send, rows, signal);
  const accepted = rows.filter(({ id }) => !rejected.has(id));
  const refused = rows.filter(({ id }) => rejected.has(id));
  await deps.store.remove(accepted.map(({ id }) => id));
  deps.metrics.exports.inc({ service: serviceOf(destination), outcome: "delivered" }, accepted.length);
  const [reason] = rejected.values();
  if (refused.length > 0)
    await removeUndelivered(deps, destination, refused, "rejected", `a service rejected rows: ${reason}`);
  return true;
}

/** Removes what waited for too long, once it could not be delivered either: a server that was away for longer delivers what it has. */
async function removeExpired(deps: DeliveryDeps, destination: string): Promise<void> {
  const { store, clock, isClockDoubted = async () => false } = deps;
  if (await isClockDoubted()) return;
  const message = "rows of conversations waited for seven days and were removed";
  for (;;) {
    const rows = await store.next(destination, BATCH);
    const expired = rows.filter(({ createTime }) => createTime < clock.now() - MAX_AGE_MS);
    if (expired.length > 0) await removeUndelivered(deps, destination, expired, "expired", message);
    if (rows.length === 0 || expired.length < rows.length) return;
  }
}

/** Removes rows that will never be delivered, with an error in the log. */
async function removeUndelivered(
  { store, metrics, logger }: DeliveryDeps,
  destination: string,
  rows: readonly StoredExport[],
  outcome: "expired" | "rejected",
  message: string,
): Promise<void> {
  await store.remove(rows.map(({ id }) => id));
  metrics.exports.inc({ service: serviceOf(destination), outcome }, rows.length);
  logger.error({ destination, rows: rows.length }, message);
}

/** Sends rows, and halves of them where the service rejects the whole request for one of them. The reasons of rejected rows by id. */
async function sendHalving(
  send: Send,
  rows: readonly StoredExport[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  try {
    // Only `createTurnExports` writes the bodies.
    const bodies = rows.map(({ body }) => JSON.parse(body) as JsonObject);
    const rejected = await send(bodies, signal);
    return new Map(rows.flatMap(({ id }, at) => (rejected.has(at) ? [[id, rejected.get(at) ?? ""] as const] : [])));
  } catch (error) {
    if (!(error instanceof ConnectError) || !INVALID.has(httpStatus(error) ?? 0)) throw error;
    const [only, ...others] = rows;
    if (only && others.length === 0) return new Map([[only.id, error.rawMessage]]);
    const middle = Math.ceil(rows.length / 2);
    const first = await sendHalving(send, rows.slice(0, middle), signal);
    return new Map([...first, ...(await sendHalving(send, rows.slice(middle), signal))]);
  }
}

/** Bad Request and Content Too Large: the service will not take the same rows later. */
const INVALID: ReadonlySet<number> = new Set([400, 413]);

function serviceOf(destination: string): string {
  return destination.split("/")[0] ?? "";
}
