import { JobService } from "@frontdesk/protos/operations/job_service";
import { categoryOf } from "#audit";
import type { Clock, Logger } from "#base";
import { repeatingName, SERVER_WIDE } from "#operations";
import type { Interceptor, RegisteredMethod } from "#rpc";
import { type ConnectError, failedPrecondition, unavailable } from "#status";
import type { Storage } from "#storage";

/** Days by which the clock may be from when the data was last in use: more than a long weekend without a server, less than what a wrong date costs. */
const MOST_DAYS = 7;
const DAY_MS = 86_400_000;

/** Retention as work that is tried again when it fails. Its dead letter says that the clock is doubted, and who begins it again confirms the clock. */
export const RETENTION = { kind: "Retention", subject: SERVER_WIDE };
const CONFIRMATION = repeatingName(SERVER_WIDE, RETENTION);

/** Where it is kept when the data was last in use by any server: at its start, and at each pass of retention. */
export const LAST_USE = { kind: "retention", key: "last-use" };
/** The last time that dates can have. */
const NEVER = 8.64e15;

/**
 * Whether the clock can be believed. What is erased because its time is over cannot be had back, and a machine may start with any time: its battery was empty, it woke up, somebody
 * mistook the month. So servers store when they use the data, and a clock that is more than seven days from there is doubted until somebody confirms it
 * (DB-25), who begins the dead letter of the retention again. Backups are doubted alike: they have the time when they were made.
 */
export interface ClockWatch {
  /** Why nothing is erased, and nothing begun that goes by the time; undefined while the clock is believed. */
  doubt(): Promise<ConnectError | undefined>;
  /** Why no call may change anything: the clock is not the database's (DB-9), or behind what was stored (DB-26). What is stored with such a time is erased as soon as the clock is right. */
  fault(): Promise<string | undefined>;
  /** The time is what the clock says: it is believed, or somebody said so. */
  confirm(): Promise<void>;
  /** Stores that the data is in use now, if the clock is believed; says so in the log if it is not. For the start, before calls are taken. */
  begin(): Promise<void>;
}

interface WatchDeps {
  readonly storage: Pick<Storage, "shortLived" | "replica">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Reads when the data was used last. Until `begin` nothing is stored. */
export async function createClockWatch({ storage, clock, logger }: WatchDeps): Promise<ClockWatch> {
  const { shortLived, replica } = storage;
  const read = async () => Number((await shortLived.get(LAST_USE.kind, LAST_USE.key)) ?? Number.NaN);
  let lastUse = await read();

  /** Days from the last use to now, where they are too many; 0 for a clock that is believed, and for new data. */
  async function daysOff(): Promise<number> {
    if (tooFar(clock.now() - lastUse) === 0) return 0;
    // Another server may have used it, or been told that the clock is right.
    lastUse = await read();
    return tooFar(clock.now() - lastUse);
  }

  async function doubt(): Promise<ConnectError | undefined> {
    const days = await daysOff();
    return days === 0 ? undefined : failedPrecondition(sentenceOf(days), { reason: "CLOCK_JUMPED" });
  }

  const watch: ClockWatch = {
    doubt,
    async fault() {
      const differs = replica?.clockFault();
      if (differs) return differs.message;
      // Asked with every call, which a clock that is ahead keeps from nothing.
      if (tooFar(clock.now() - lastUse) >= 0) return undefined;
      const days = await daysOff();
      return days < 0 ? sentenceOf(days) : undefined;
    },
    async confirm() {
      const now = Math.floor(clock.now());
      await shortLived.put({ ...LAST_USE, body: String(now), expireTime: NEVER });
      lastUse = now;
    },
    async begin() {
      const doubted = await doubt();
      if (doubted) logger.error({ err: doubted }, "the clock may be wrong");
      else if (!replica?.clockFault()) await watch.confirm();
    },
  };
  return watch;
}

function tooFar(differenceMs: number): number {
  const days = differenceMs / DAY_MS;
  return Math.abs(days) > MOST_DAYS ? days : 0;
}

/** Why servers doubt a clock, and what a person does about it, without full stops. */
interface ClockDoubt {
  readonly detail: string;
  readonly fix: string;
}

/** The doubt of servers about a clock of this time, where their data was last in use then; undefined where they have none. */
export function clockDoubt(now: number, lastUse: number): ClockDoubt | undefined {
  const days = tooFar(now - lastUse);
  return days === 0 ? undefined : doubtOf(days);
}

function doubtOf(days: number): ClockDoubt {
  const where = `The clock of this machine is ${Math.round(Math.abs(days))} days ${days > 0 ? "after" : "before"} the time when this data was last in use`;
  const what = days > 0 ? "nothing is erased and no schedule runs" : "calls that would change something are refused";
  return {
    detail: `${where}, so ${what}`,
    fix: `Set the clock; where it is right, say so: frontdesk operations retry ${CONFIRMATION}`,
  };
}

function sentenceOf(days: number): string {
  const { detail, fix } = doubtOf(days);
  return `${detail}. ${fix}`;
}

/** Refuses what would change something while the clock is wrong, but for the confirmation that it is right. */
export function requireClock(watch: ClockWatch): Interceptor {
  const require = async (method: RegisteredMethod): Promise<void> => {
    if (categoryOf(method) === "read" || method.internalMethod === JobService.method.retryJob) return;
    const fault = await watch.fault();
    // Behind a proxy another server answers the next attempt.
    if (fault) throw unavailable(fault, { reason: "STORAGE_UNAVAILABLE", metadata: { storage: "CLOCK" } });
  };
  return (next) => ({
    unary: async (method, request, context) => {
      await require(method);
      return next.unary(method, request, context);
    },
    async *stream(method, request, context) {
      await require(method);
      yield* next.stream(method, request, context);
    },
  });
}
