import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  RefreshSchedule_KeptResultSchema as KeptResultSchema,
  type RefreshSchedule,
  RefreshSchedule_State as State,
} from "@frontdesk/protos/gda/refresh_schedule";
import { type Caller, type Clock, definedFields, type Egress, type Ids, type Logger, type Sealer } from "#base";
import { failedPrecondition, toStatusError } from "#status";
import { type ResourceQuery, type ResourceStore, StaleEtagError } from "#storage";
import { dataResult } from "../chat/data-result.ts";
import type { StatementOutcome } from "../statements/contract.ts";
import { alertBody } from "./alert-body.ts";
import { judge } from "./alert-condition.ts";
import { nextRunTime } from "./recurrence.ts";
import { agentOfSchedule, REFRESH_SCHEDULE_TYPE } from "./schedule-name.ts";
import { callerOf, fromScheduleRow, runTime, type StoredSchedule, toScheduleRow } from "./schedule-rows.ts";
import { postToWebhook } from "./webhook.ts";

/** Answers a pinned question of a data agent with the rights that a caller has now. */
export type AnswerPinned = (
  asked: { readonly agent: string; readonly question: string; readonly caller: Caller },
  signal: AbortSignal,
) => Promise<StatementOutcome>;

/** Is told what came of runs, by the names of schedules. */
export interface RefreshOutcomes {
  succeeded(schedule: string): Promise<void>;
  /** Tries again (`Refreshes.again`), or keeps the failure for somebody to see. */
  failed(schedule: string, error: unknown): Promise<void>;
}

interface RefreshesDeps {
  readonly store: ResourceStore;
  readonly answer: AnswerPinned;
  readonly outcomes: RefreshOutcomes;
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
  /** Another attempt at a schedule whose question could not be answered. Rejects when it fails again; does nothing for one that is paused or gone. */
  again(name: string, signal: AbortSignal): Promise<void>;
}

/** Pauses before the next attempt to tell a webhook, milliseconds; after the last one it is given up (CA-53). */
const RETRY_MS: readonly number[] = [60_000, 300_000, 1_800_000, 7_200_000];
/** Rows of a result that are kept (CA-50). */
const KEPT_ROWS = 500;
const AT_ONCE = 4;
const EVERYWHERE = "projects/-/locations/-/dataAgents/-";

/** Creates what runs schedules. What is due is in the store, so nothing is lost when a server stops. */
export function createRefreshes(deps: RefreshesDeps): Refreshes {
  const { clock, logger, outcomes } = deps;

  /** Runs the question, if that is due, and tells the webhook, if that is due then. Undefined when the server stops. */
  async function attempt(stored: StoredSchedule, asks: boolean, signal: AbortSignal): Promise<Refreshed | undefined> {
    const refreshed = asks ? await refresh(stored, deps, signal) : { after: stored };
    if (refreshed && isDue(refreshed.after.delivery?.due, clock)) await deliver(refreshed.after, deps, signal);
    return refreshed;
  }

  async function run(stored: StoredSchedule, signal: AbortSignal): Promise<void> {
    const { name } = stored.schedule;
    const asks = isDue(runTime(stored.schedule), clock);
    try {
      const refreshed = await attempt(stored, asks, signal);
      if (!asks || !refreshed) return;
      await (refreshed.error === undefined ? outcomes.succeeded(name) : outcomes.failed(name, refreshed.error));
    } catch (error) {
      if (!(error instanceof StaleEtagError)) logger.error({ err: error, schedule: name }, "a schedule could not run");
    }
  }

  return {
    pass: async (signal) => {
      for await (const due of dueSchedules(deps)) {
        await Promise.all(due.map((stored) => run(stored, signal)));
        if (signal.aborted) return;
      }
    },
    again: async (name, signal) => {
      const row = await deps.store.get(name);
      const stored = row && fromScheduleRow(row);
      if (!stored || stored.schedule.paused) return;
      const refreshed = await attempt(stored, true, signal).catch((error: unknown) => {
        // Who changed the schedule meanwhile lets it run again as it is now.
        if (!(error instanceof StaleEtagError)) throw error;
      });
      if (refreshed?.error !== undefined) throw refreshed.error;
    },
  };
}

/** The schedules of which something is due, those first that have been due for longest. One that has run is due later, so it is not met again. */
async function* dueSchedules({ store, clock }: RefreshesDeps): AsyncGenerator<readonly StoredSchedule[], void> {
  const query = { type: REFRESH_SCHEDULE_TYPE, parent: EVERYWHERE, orderBy: "update_time", descending: false } as const;
  let after: ResourceQuery["after"];
  do {
    const { rows, last } = await store.list({ ...query, limit: AT_ONCE, ...definedFields({ after }) });
    const now = clock.now();
    const due = rows.filter(({ updateTime }) => updateTime <= now);
    if (due.length > 0) yield due.map(fromScheduleRow);
    after = due.length < rows.length ? undefined : last;
  } while (after);
}

function isDue(time: number | undefined, clock: Clock): boolean {
  return time !== undefined && time <= clock.now();
}

/** A schedule after a run, and why the run failed. */
interface Refreshed {
  readonly after: StoredSchedule;
  readonly error?: unknown;
}

/** Runs the question once for all times that are due, and stores what came of it before anybody is told. Undefined when the server stops. */
async function refresh(
  stored: StoredSchedule,
  deps: RefreshesDeps,
  signal: AbortSignal,
): Promise<Refreshed | undefined> {
  const { schedule, runsAs } = stored;
  const asked = { agent: agentOfSchedule(schedule.name), question: schedule.question, caller: callerOf(runsAs) };
  const now = Math.floor(deps.clock.now());
  const next = nextRunTime(schedule, now);
  if (next) schedule.nextRunTime = next;
  schedule.lastRunTime = timestampFromMs(now);
  let after = stored;
  let failure: Pick<Refreshed, "error"> = {};
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
    failure = { error };
  }
  return { after: await save(after, deps), ...failure };
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
  const attempt = await postToWebhook(webhook, message, deps, signal);
  if (signal.aborted) return;
  alert.deliveryAttempts = delivery.attempts + 1;
  if (attempt === "arrived") {
    alert.deliveryTime = timestampFromMs(now);
    alert.deliveryError = "";
    return void (await save({ ...rest, schedule, webhook }, deps));
  }
  const pause = attempt.isFinal ? undefined : RETRY_MS[delivery.attempts];
  alert.deliveryError = pause === undefined ? `${attempt.reason}; it is not tried again` : attempt.reason;
  deps.logger.warn(
    { schedule: schedule.name, reason: attempt.reason },
    "an alert could not be delivered to its webhook",
  );
  const waiting = pause && { delivery: { ...delivery, due: now + pause, attempts: delivery.attempts + 1 } };
  await save({ ...rest, schedule, webhook, ...waiting }, deps);
}

/** A schedule that was changed meanwhile is not overwritten: it runs again as it is now. */
async function save(stored: StoredSchedule, { store, ids }: RefreshesDeps): Promise<StoredSchedule> {
  const after = { ...stored, etag: ids.uuid() };
  await store.write([{ kind: "put", row: toScheduleRow(after), ifEtag: stored.etag }]);
  return after;
}
