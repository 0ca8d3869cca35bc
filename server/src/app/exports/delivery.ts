import type { Clock, JsonObject, Logger } from "#base";
import { ConnectError } from "#status";
import type { ExportStore, StoredExport } from "#storage";
import type { Metrics } from "../metrics/metrics.ts";
import { httpStatus, type Send } from "./senders.ts";

interface DeliveryDeps {
  readonly store: ExportStore;
  /** How to send to a destination; undefined when its service is not configured. */
  readonly senderOf: (destination: string) => Send | undefined;
  readonly metrics: Pick<Metrics, "exports">;
  /** Whether nothing may be removed because of its age (DB-25). Default: it may. */
  readonly isClockDoubted?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs work unless another server is at it; false then. Default: there is no other. */
  readonly exclusively?: (name: string, work: () => Promise<void>) => Promise<boolean>;
  /** Milliseconds from a wake-up to the delivery, in which rows of several turns gather. Default 1,000. */
  readonly delayMs?: number;
  /** Milliseconds before the second try; twice that before each further one, five minutes at most. Default 5,000. */
  readonly retryMs?: number;
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
const MAX_WAIT_MS = 300_000;
/** A row that waited for this long is removed once it cannot be delivered. */
const MAX_AGE_MS = 7 * 86_400_000;

/**
 * Creates the delivery (CONV-16). Each row is sent at least once, the rows of a destination in order; destinations do not wait for each other. A
 * destination that fails is tried again after a growing pause.
 */
export function createDelivery(deps: DeliveryDeps): Delivery {
  const { store, clock, logger, exclusively, delayMs = 1_000, retryMs = 5_000 } = deps;
  const stop = new AbortController();
  /** Destinations that failed: how often, and when they are tried again. */
  const paused = new Map<string, { readonly failures: number; readonly until: number }>();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let again = false;

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
    running = deliverAll()
      .catch((error: unknown) => logger.error({ err: error }, "the export of conversations failed"))
      .then(() => {
        running = undefined;
        const next = Math.min(...[...paused.values()].map(({ until }) => until - clock.now()));
        if (again) schedule(delayMs);
        else if (Number.isFinite(next)) schedule(Math.min(Math.max(next, delayMs), MAX_WAIT_MS));
      });
  }

  /** No pause is longer, so a time beyond it was noted before the clock was set back. */
  function isDue(until: number): boolean {
    const waitMs = until - clock.now();
    return waitMs <= 0 || waitMs > MAX_WAIT_MS;
  }

  async function deliverAll(): Promise<void> {
    const due = (await store.destinations()).filter((name) => isDue(paused.get(name)?.until ?? 0));
    await Promise.all(due.map(deliverAlone));
  }

  /** Where another server delivers to the destination, this one looks again: that one may have read the rows before these were stored. */
  async function deliverAlone(destination: string): Promise<void> {
    if (!exclusively) return deliver(destination);
    if (!(await exclusively(`export ${destination}`, () => deliver(destination)))) again = true;
  }

  async function deliver(destination: string): Promise<void> {
    try {
      while (!stop.signal.aborted && (await deliverBatch(deps, destination, stop.signal)));
      paused.delete(destination);
    } catch (error) {
      if (stop.signal.aborted) return;
      const failures = (paused.get(destination)?.failures ?? 0) + 1;
      const waitMs = Math.min(retryMs * 2 ** (failures - 1), MAX_WAIT_MS);
      paused.set(destination, { failures, until: clock.now() + waitMs });
      deps.metrics.exports.inc({ service: serviceOf(destination), outcome: "failed" });
      logger.error({ err: error, destination, failures, waitMs }, "conversations could not be exported; they wait");
      await removeExpired(deps, destination);
    }
  }

  return {
    wake,
    close: async () => {
      stop.abort();
      clearTimeout(timer);
      await running;
    },
  };
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
