import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  RefreshSchedule_KeptResultSchema as KeptResultSchema,
  type RefreshSchedule,
  RefreshSchedule_State as State,
} from "@frontdesk/protos/gda/refresh_schedule";
import type { Caller, Clock, Egress, Ids, Logger, Sealer } from "#base";
import { failedPrecondition, toStatusError } from "#status";
import { type ResourceStore, StaleEtagError } from "#storage";
import { dataResult } from "../chat/data-result.ts";
import type { StatementOutcome } from "../statements/run-statement.ts";
import { alertBody } from "./alert-body.ts";
import { judge } from "./alert-condition.ts";
import { nextRunTime } from "./recurrence.ts";
import { agentOfSchedule, REFRESH_SCHEDULE_TYPE } from "./schedule-name.ts";
import { callerOf, fromScheduleRow, runTime, type StoredSchedule, toScheduleRow } from "./schedule-rows.ts";
import { tellWebhook } from "./webhook.ts";

/** Answers a pinned question of a data agent with the rights that a caller has now. */
export type AnswerPinned = (
  asked: { readonly agent: string; readonly question: string; readonly caller: Caller },
  signal: AbortSignal,
) => Promise<StatementOutcome>;

interface RefreshesDeps {
  readonly store: ResourceStore;
  readonly answer: AnswerPinned;
  readonly egress: Egress;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Whether what somebody sees of data depends on who it is. */
  readonly isRuled: boolean;
}

/** Runs what is due of schedules. */
export interface Refreshes {
  /** Runs questions and tells webhooks that are due. Stops between schedules when the signal is aborted. One server at a time calls it. */
  pass(signal: AbortSignal): Promise<void>;
}

/** Pauses before the next attempt to tell a webhook, milliseconds; after the last one it is given up (CA-53). */
const RETRY_MS: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000];
/** Rows of a result that are kept (CA-50). */
const KEPT_ROWS = 500;
const AT_ONCE = 4;
const EVERYWHERE = "projects/-/locations/-/dataAgents/-";

/** Creates what runs schedules. What is due is in the store, so nothing is lost when a server stops. */
export function createRefreshes(deps: RefreshesDeps): Refreshes {
  const { store, clock, logger } = deps;

  /** Those that are due and were not tried in this pass. */
  async function nextDue(tried: ReadonlySet<string>): Promise<readonly StoredSchedule[]> {
    const query = {
      type: REFRESH_SCHEDULE_TYPE,
      parent: EVERYWHERE,
      orderBy: "update_time",
      descending: false,
    } as const;
    const { rows } = await store.list({ ...query, limit: AT_ONCE + tried.size });
    const now = clock.now();
    return rows.filter(({ name, updateTime }) => updateTime <= now && !tried.has(name)).map(fromScheduleRow);
  }

  async function check(stored: StoredSchedule, signal: AbortSignal): Promise<void> {
    const { name } = stored.schedule;
    try {
      const refreshed = isDue(runTime(stored.schedule), clock) ? await refresh(stored, deps, signal) : stored;
      if (refreshed && isDue(refreshed.delivery?.due, clock)) await deliver(refreshed, deps, signal);
    } catch (error) {
      if (!(error instanceof StaleEtagError)) logger.error({ err: error, schedule: name }, "a schedule could not run");
    }
  }

  return {
    pass: async (signal) => {
      // Those of which the outcome could not be stored are left to the next pass.
      const tried = new Set<string>();
      while (!signal.aborted) {
        const due = await nextDue(tried);
        if (due.length === 0) return;
        for (const { schedule } of due) tried.add(schedule.name);
        await Promise.all(due.map((stored) => check(stored, signal)));
      }
    },
  };
}

function isDue(time: number | undefined, clock: Clock): boolean {
  return time !== undefined && time <= clock.now();
}

/** Runs the question once for all times that are due, and stores what came of it before anybody is told. Undefined when the server stops. */
async function refresh(
  stored: StoredSchedule,
  deps: RefreshesDeps,
  signal: AbortSignal,
): Promise<StoredSchedule | undefined> {
  const { schedule, runsAs } = stored;
  const asked = { agent: agentOfSchedule(schedule.name), question: schedule.question, caller: callerOf(runsAs) };
  const now = Math.floor(deps.clock.now());
  const next = nextRunTime(schedule, now);
  if (next) schedule.nextRunTime = next;
  schedule.lastRunTime = timestampFromMs(now);
  let after = stored;
  try {
    if (deps.isRuled && runsAs.hasGroups) throw groupsUnknown(runsAs.principal);
    const outcome = await deps.answer(asked, signal);
    if (outcome.result) schedule.lastResult = keptResult(outcome, now);
    schedule.lastError = "";
    after = judged(stored, outcome, now, deps.ids);
  } catch (error) {
    if (signal.aborted) return undefined;
    const status = toStatusError(error);
    deps.logger.warn({ err: error, schedule: schedule.name }, "a pinned question could not be refreshed");
    schedule.lastError = status.rawMessage;
  }
  return save(after, deps);
}

/** The first rule that names somebody decides, so without the groups a wider one could. */
function groupsUnknown(principal: string) {
  return failedPrecondition(
    `Rules say who sees which rows, and the groups of ${principal} are known only while a token says them. Let a service account save the schedule.`,
    { reason: "SCHEDULE_GROUPS_UNKNOWN", metadata: { principal } },
  );
}

function keptResult({ result, chart }: StatementOutcome, now: number): RefreshSchedule["lastResult"] {
  if (!result) return undefined;
  const rows = result.rows.slice(0, KEPT_ROWS);
  const isWhole = rows.length === result.rows.length;
  return create(KeptResultSchema, {
    time: timestampFromMs(now),
    result: dataResult("result", { ...result, rows }),
    partialResult: result.truncated || !isWhole,
    // A chart has its rows inline.
    ...(isWhole && chart && { vegaConfig: chart }),
  });
}

/** How the alert stands after a run: a condition that is met and was not is a crossing (CA-52). */
function judged(stored: StoredSchedule, { result }: StatementOutcome, now: number, ids: Ids): StoredSchedule {
  const { alert } = stored.schedule;
  if (!alert || !result) return stored;
  const { value, isMet } = judge(alert, result);
  const isCrossing = isMet && alert.state !== State.RAISED;
  alert.state = isMet ? State.RAISED : State.QUIET;
  if (value === undefined) delete alert.lastValue;
  else alert.lastValue = value;
  if (!isCrossing || value === undefined) return stored;
  alert.crossingTime = timestampFromMs(now);
  delete alert.deliveryTime;
  alert.deliveryError = "";
  alert.deliveryAttempts = 0;
  if (stored.webhook === "") return stored;
  return { ...stored, delivery: { id: `msg_${ids.uuid()}`, value, time: now, due: now, attempts: 0 } };
}

/** One attempt to tell the webhook of a crossing. */
async function deliver(stored: StoredSchedule, deps: RefreshesDeps, signal: AbortSignal): Promise<void> {
  const { schedule, delivery, webhook, ...rest } = stored;
  const { alert } = schedule;
  if (!delivery || !alert) return;
  const now = Math.floor(deps.clock.now());
  const message = { id: delivery.id, body: alertBody(schedule, alert, delivery), now };
  const attempt = await tellWebhook(webhook, message, deps, signal);
  if (signal.aborted) return;
  alert.deliveryAttempts = delivery.attempts + 1;
  if (attempt === "arrived") {
    alert.deliveryTime = timestampFromMs(now);
    alert.deliveryError = "";
    return void (await save({ ...rest, schedule, webhook }, deps));
  }
  const pause = attempt.isFinal ? undefined : RETRY_MS[delivery.attempts];
  alert.deliveryError = pause === undefined ? `${attempt.reason}; it is not tried again` : attempt.reason;
  deps.logger.warn({ schedule: schedule.name, reason: attempt.reason }, "a webhook could not be told of an alert");
  const waiting = pause && { delivery: { ...delivery, due: now + pause, attempts: delivery.attempts + 1 } };
  await save({ ...rest, schedule, webhook, ...waiting }, deps);
}

/** A schedule that was changed meanwhile is not overwritten: it runs again as it is now. */
async function save(stored: StoredSchedule, { store, ids }: RefreshesDeps): Promise<StoredSchedule> {
  const after = { ...stored, etag: ids.uuid() };
  await store.write([{ kind: "put", row: toScheduleRow(after), ifEtag: stored.etag }]);
  return after;
}
