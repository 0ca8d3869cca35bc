import { createHash } from "node:crypto";
import { clone, create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type EvaluationRun,
  EvaluationRunSchema,
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  type RunEvaluationRequest,
  RunEvaluationRequestSchema,
  EvaluationRun_EvaluationRunState as RunState,
  type ScheduledEvaluationRun,
} from "@frontdesk/protos/ces/evaluation";
import { type Clock, countOccurrences, definedFields, type Logger, nextOccurrence, type Recurrence } from "#base";
import { type FieldViolation, invalidArgument, toStatusError } from "#status";
import type { EvaluationResources, ScheduleOfApp, Schedules } from "../contract.ts";
import { errorInfo } from "../observation/error-info.ts";
import { countViolations, personaViolations } from "../runs/plan-run.ts";

interface SchedulesDeps {
  readonly resources: Pick<EvaluationResources, "read" | "schedules" | "runs" | "put" | "annotate">;
  /** Plans a run with this id and starts it in the name of the author. */
  readonly startRun: (request: RunEvaluationRequest, author: string, runId: string) => Promise<unknown>;
  /** Starts a run that is stored. */
  readonly launch: (run: EvaluationRun, request: RunEvaluationRequest) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Missed times are counted to this. */
const MAX_MISSED = 1_000;

/** Creates the scheduler of evaluation runs. */
export function createSchedules(deps: SchedulesDeps): Schedules {
  const { resources, clock, logger } = deps;

  async function check({ schedule, timeZone }: ScheduleOfApp): Promise<void> {
    const now = clock.now();
    const next = plannedTime(schedule, timeZone, now);
    if (next === undefined || next > now) return setNext(schedule, next);
    await execute(schedule, timeZone, next, now);
    await resources.annotate(schedule.name, {
      totalExecutions: schedule.totalExecutions + 1,
      ...nextTime(nextOccurrence(recurrenceOf(schedule), timeZone, now)),
    });
  }

  async function setNext(schedule: ScheduledEvaluationRun, next: number | undefined): Promise<void> {
    if (storedTime(schedule) !== next) await resources.annotate(schedule.name, nextTime(next));
  }

  /** Starts the run of one time. Its id is that of the time, so a server that stopped in between does not start it twice. */
  async function execute(schedule: ScheduledEvaluationRun, timeZone: string, due: number, now: number): Promise<void> {
    const missed = countOccurrences(recurrenceOf(schedule), timeZone, { after: due, until: now, limit: MAX_MISSED });
    const facts = { schedule: schedule.name, due: new Date(due).toISOString(), missed };
    if (missed > 0) logger.warn(facts, "a scheduled evaluation run missed times; it runs once for all of them");
    const runId = createHash("sha256").update(`${schedule.name}@${due}`).digest("hex").slice(0, 32);
    const request = requestOf(schedule, due, missed);
    const author = schedule.lastUpdatedBy || schedule.createdBy;
    try {
      const [begun] = await resources.runs([`${request.app}/evaluationRuns/${runId}`]);
      if (!begun) await deps.startRun(request, author, runId);
      else if (begun.state === RunState.QUEUED && begun.operation === "") await deps.launch(begun, request);
    } catch (error) {
      // Deleted meanwhile, with its app or alone: a record of it would be one of nothing.
      if ((await resources.schedules(schedule.name)).length === 0) return;
      logger.error({ err: error, ...facts }, "a scheduled evaluation run could not start");
      await resources.put(rejectedRun(request, author, runId, error, now));
    }
  }

  return {
    check: async (request, app, field) => {
      const violations = [...countViolations(request), ...continuationViolations(request)];
      if (request.personaRunConfigs.length > 0)
        violations.push(...personaViolations(request, (await resources.read(app)).app));
      if (violations.length === 0) return;
      throw invalidArgument(violations.map((violation) => ({ ...violation, field: `${field}.${violation.field}` })));
    },
    refresh: async (name) => {
      for (const { schedule, timeZone } of await resources.schedules(name)) {
        await setNext(schedule, plannedTime(schedule, timeZone, clock.now()));
      }
    },
    pass: async (signal) => {
      for (const schedule of await resources.schedules()) {
        if (signal.aborted) return;
        await check(schedule).catch((error: unknown) => {
          logger.error({ err: error, schedule: schedule.schedule.name }, "a scheduled evaluation run failed");
        });
      }
    },
  };
}

/** Each run of a schedule runs all of it. */
function continuationViolations({ continuedRun, includeFailedEvaluations }: RunEvaluationRequest): FieldViolation[] {
  const description = "A schedule continues no other run. Leave it out.";
  const given = { continued_run: continuedRun !== "", include_failed_evaluations: includeFailedEvaluations };
  return Object.entries(given).flatMap(([field, isGiven]) => (isGiven ? [{ field, description }] : []));
}

const EVERY: Readonly<Partial<Record<Frequency, Recurrence["every"]>>> = {
  [Frequency.DAILY]: "day",
  [Frequency.WEEKLY]: "week",
  [Frequency.BIWEEKLY]: "biweekly",
};

/** A schedule without configuration, which only data of other servers can have, never runs. */
function recurrenceOf({ schedulingConfig: config }: ScheduledEvaluationRun): Recurrence {
  const start = config?.startTime ? timestampMs(config.startTime) : 0;
  const every = EVERY[config?.frequency ?? Frequency.NONE];
  return { ...definedFields({ every }), start, daysOfWeek: config?.daysOfWeek ?? [] };
}

/**
 * When a schedule runs next (EVAL-43): the stored time while it is one of the schedule's, which it no longer is when the schedule or the
 * app's time zone has changed; else the first one from now on. One that runs once and never has, runs late.
 */
function plannedTime(schedule: ScheduledEvaluationRun, timeZone: string, now: number): number | undefined {
  const { active, totalExecutions } = schedule;
  if (!active) return undefined;
  const recurrence = recurrenceOf(schedule);
  const stored = storedTime(schedule);
  if (stored !== undefined && nextOccurrence(recurrence, timeZone, stored - 1) === stored) return stored;
  if (recurrence.every === undefined && totalExecutions === 0) return nextOccurrence(recurrence, timeZone, 0);
  return nextOccurrence(recurrence, timeZone, now);
}

function storedTime({ nextScheduledExecutionTime: time }: ScheduledEvaluationRun): number | undefined {
  return time ? timestampMs(time) : undefined;
}

function nextTime(next: number | undefined): Pick<ScheduledEvaluationRun, "nextScheduledExecutionTime"> {
  // An undefined value clears the field.
  return { nextScheduledExecutionTime: next === undefined ? undefined : timestampFromMs(next) } as Pick<
    ScheduledEvaluationRun,
    "nextScheduledExecutionTime"
  >;
}

/** The request of a schedule for one of its times. Its run's name says when it was due and which times it stands for. */
function requestOf(
  { name, displayName, request }: ScheduledEvaluationRun,
  due: number,
  missed: number,
): RunEvaluationRequest {
  const app = name.slice(0, name.indexOf("/scheduledEvaluationRuns/"));
  const late = missed > 0 ? ` (${missed}${missed === MAX_MISSED ? " or more" : ""} later times missed)` : "";
  const own = request ? clone(RunEvaluationRequestSchema, request) : create(RunEvaluationRequestSchema);
  return Object.assign(own, {
    app,
    displayName: `${own.displayName || displayName} run - ${new Date(due).toISOString()}${late}`,
    scheduledEvaluationRun: name,
  });
}

/** The record of a run that could not start, e.g. because its dataset was deleted. */
function rejectedRun(
  request: RunEvaluationRequest,
  author: string,
  runId: string,
  error: unknown,
  now: number,
): EvaluationRun {
  const message = toStatusError(error).rawMessage;
  return create(EvaluationRunSchema, {
    name: `${request.app}/evaluationRuns/${runId}`,
    displayName: request.displayName,
    createTime: timestampFromMs(Math.floor(now)),
    initiatedBy: author,
    appVersion: request.appVersion,
    runCount: request.runCount ?? 0,
    personaRunConfigs: request.personaRunConfigs,
    goldenRunMethod: request.goldenRunMethod,
    ...definedFields({ config: request.config, optimizationConfig: request.optimizationConfig }),
    evaluations: request.evaluations,
    evaluationDataset: request.evaluationDataset,
    scheduledEvaluationRun: request.scheduledEvaluationRun,
    state: RunState.ERROR,
    errorInfo: errorInfo({ type: ErrorType.RUNTIME_FAILURE, message, session: "" }),
  });
}
