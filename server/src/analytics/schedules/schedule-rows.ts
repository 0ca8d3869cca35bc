import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type RefreshSchedule, RefreshScheduleSchema } from "@frontdesk/protos/gda/refresh_schedule";
import { ANONYMOUS, type Caller, definedFields } from "#base";
import type { ResourceRow } from "#storage";
import { agentOfSchedule, REFRESH_SCHEDULE_TYPE } from "./schedule-name.ts";

/** In whose name a schedule runs: what of the caller outlives the credential. Groups do not (CA-51). */
export interface Runner extends Pick<Caller, "kind" | "principal" | "within"> {
  /** Whether the token said groups. */
  readonly hasGroups?: boolean;
}

/** A crossing that a webhook has not been told yet. */
export interface Delivery {
  /** The same for all attempts, so that a receiver can tell a repetition. */
  readonly id: string;
  readonly value: number;
  /** When the crossing was seen, and when the next attempt is, in milliseconds. */
  readonly time: number;
  readonly due: number;
  readonly attempts: number;
}

/** A schedule as it is stored. */
export interface StoredSchedule {
  readonly schedule: RefreshSchedule;
  readonly runsAs: Runner;
  /** URL and secret of the webhook, sealed, in base64; "" for none. */
  readonly webhook: string;
  readonly delivery?: Delivery;
  readonly etag: string;
}

/** Most schedules of an agent: as many as its board may have questions. */
export const MAX_SCHEDULES = 50;

/** The time of rows that nothing is due for: the last one that a date can be. */
const NEVER = 8.64e15;

/** The row's `updateTime` is when something is due, so that the next ones are found without reading the others. */
export function toScheduleRow(stored: StoredSchedule): ResourceRow {
  const { schedule, runsAs, webhook, delivery, etag } = stored;
  const message = Buffer.from(toBinary(RefreshScheduleSchema, schedule)).toString("base64");
  return {
    name: schedule.name,
    type: REFRESH_SCHEDULE_TYPE,
    parent: agentOfSchedule(schedule.name),
    displayName: "",
    createTime: schedule.createTime ? timestampMs(schedule.createTime) : 0,
    updateTime: Math.min(runTime(schedule) ?? NEVER, delivery?.due ?? NEVER),
    etag,
    body: Buffer.from(JSON.stringify({ message, runsAs, webhook, delivery })),
  };
}

/** The schedule of a row. */
export function fromScheduleRow({ body, etag }: ResourceRow): StoredSchedule {
  const { message, ...rest } = JSON.parse(Buffer.from(body).toString()) as Omit<StoredSchedule, "schedule" | "etag"> & {
    readonly message: string;
  };
  return { ...rest, schedule: fromBinary(RefreshScheduleSchema, Buffer.from(message, "base64")), etag };
}

/** When a schedule runs next, in milliseconds; undefined while it is paused. */
export function runTime({ paused, nextRunTime }: RefreshSchedule): number | undefined {
  return paused || !nextRunTime ? undefined : timestampMs(nextRunTime);
}

/** The caller that a schedule runs as. */
export function callerOf(runner: Runner): Caller {
  const { kind, principal, within } = runner;
  return { ...ANONYMOUS, kind, principal, ...definedFields({ within }) };
}
