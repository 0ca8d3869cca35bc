import type { Clock, Logger } from "#base";
import type { StorageError } from "../errors.ts";
import type { ReplicaAddress } from "../shared-contract.ts";
import { clockFault } from "./clock-fault.ts";
import type { Connections } from "./connections.ts";
import { MIGRATIONS } from "./migrations.ts";
import type { Outages } from "./outages.ts";
import type { OverloadDetector } from "./overload-detector.ts";
import { toStorageError } from "./to-storage-error.ts";

/** This server in the table of replicas. */
export interface Heartbeat {
  /** Why this server may hold nothing: its clock is wrong. */
  fault(): StorageError | undefined;
  /** Writes where this server takes turns of the others, now and whenever the row is made anew. */
  announce(address: Omit<ReplicaAddress, "id">): Promise<void>;
  /** Leaves the table, so that others take over at once. */
  stop(): Promise<void>;
}

interface HeartbeatOptions {
  readonly id: string;
  readonly name: string;
  readonly place: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly outages: Outages;
  /** Called as often as the row is written, and not waited for. */
  readonly beat: () => Promise<void>;
  /** Called when the database answers after it did not, and when it has an older row of this server than it had, or none (DB-23). */
  readonly onOtherState: () => void;
  readonly detector: OverloadDetector;
}

/** Milliseconds between two beats, and how long one keeps what the server holds. Together with a waiting server's pause this is below two seconds. */
const BEAT_MS = 300;
export const HELD_MS = 1_200;

/**
 * Keeps this server's row alive (DB-6). Times are the database's, so that clocks of servers do not matter for who holds what. `connections`: for the
 * beats alone, since one that waits behind other statements would cost the server its leases. Rejects when the first beat fails.
 */
export async function startHeartbeat(connections: Connections, options: HeartbeatOptions): Promise<Heartbeat> {
  const { id, name, place, clock, logger, outages, beat, detector, onOtherState } = options;
  /** The time in the row as the database last confirmed it. */
  let confirmed = Number.NEGATIVE_INFINITY;
  let skewed: StorageError | undefined;
  let address: Omit<ReplicaAddress, "id"> | undefined;
  let failing = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function touch(): Promise<void> {
    const sent = clock.now();
    const { host = null, port = null, sealedKey = null } = address ?? {};
    const parameters = [id, name, MIGRATIONS.length, HELD_MS, host, port, sealedKey];
    const { rows } = await detector.follow("write", connections.query<Beat>({ sql: TOUCH, parameters }));
    // The statement returns one row.
    const [{ now, before, until }] = rows as [Beat];
    const isOther = confirmed > (before ?? Number.NEGATIVE_INFINITY);
    confirmed = until;
    if (isOther) logger.warn(OTHER_STATE);
    if (isOther || failing) onOtherState();
    const wrong = clockFault({ sent, received: clock.now(), database: now }, place);
    if (wrong && !skewed) logger.error({ err: wrong }, "the clock is wrong");
    skewed = wrong && (skewed ?? wrong);
  }

  async function run(): Promise<void> {
    try {
      await touch();
      if (failing) logger.info("the database answers again");
      failing = false;
    } catch (error) {
      if (!failing && !stopped) logger.error({ err: toStorageError(error, place) }, "the database does not answer");
      failing = true;
    }
    if (!stopped) timer = setTimeout(next, BEAT_MS).unref();
  }

  function next(): void {
    running = run();
    beating ??= beat()
      .catch((error: unknown) => {
        if (!failing && !stopped) outages.report(error, "changes could not be read");
      })
      .finally(() => {
        beating = undefined;
      });
  }

  await touch();
  await beat();
  let running: Promise<void> = Promise.resolve();
  let beating: Promise<void> | undefined;
  timer = setTimeout(next, BEAT_MS).unref();

  return {
    fault: () => skewed,
    announce: async (announced) => {
      address = announced;
      await touch();
    },
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.all([running, beating]);
      await connections
        .query({ sql: "delete from replicas where id = $1", parameters: [id] })
        .catch((error: unknown) => {
          logger.warn({ err: toStorageError(error, place) }, "this server could not leave the table of replicas");
        });
    },
  };
}

const OTHER_STATE =
  "the database lacks what this server wrote to it: it was restored, or a standby took its place; what the server remembers is read anew";

interface Beat {
  /** The database's time, milliseconds since the epoch. */
  readonly now: number;
  /** The time in the row before, and now; null where there was none. */
  readonly before: number | null;
  readonly until: number;
}

const TOUCH = `
with before as materialized (select until from replicas where id = $1)
insert into replicas as r (id, name, schema_version, until, host, port, sealed_key)
values ($1, $2, $3, clock_timestamp() + $4::int * interval '1 millisecond', $5, $6, $7)
on conflict (id) do update set until = excluded.until, host = excluded.host, port = excluded.port, sealed_key = excluded.sealed_key
returning (extract(epoch from clock_timestamp()) * 1000)::float8 as now, (extract(epoch from r.until) * 1000)::float8 as until,
  (select extract(epoch from until) * 1000 from before)::float8 as before`;
