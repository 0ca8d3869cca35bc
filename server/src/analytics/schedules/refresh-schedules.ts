import { clone, create, equals } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type CreateRefreshScheduleRequest,
  type ListRefreshSchedulesRequest,
  ListRefreshSchedulesRequestSchema,
  type UpdateRefreshScheduleRequest,
} from "@frontdesk/protos/gda/data_agent_service";
import {
  RefreshSchedule_AlertSchema as AlertSchema,
  type RefreshSchedule,
  RefreshScheduleSchema,
  RefreshSchedule_WebhookSchema as WebhookSchema,
} from "@frontdesk/protos/gda/refresh_schedule";
import { applyUpdate, decodePageToken, encodePageToken, pageSizeOf, requestChecksum, withoutOutputOnly } from "#aip";
import { type Caller, type Clock, definedFields, type Ids, oneAtATime, type Sealer } from "#base";
import { aborted, failedPrecondition, invalidArgument, notFound, resourceExhausted } from "#status";
import { type ResourceRow, type ResourceStore, StaleEtagError } from "#storage";
import type { DataAgents } from "../agents/data-agents.ts";
import { PAGES } from "../agents/list-agents.ts";
import { type Resealed, resealRows } from "../sources/reseal-rows.ts";
import { nextRunTime } from "./recurrence.ts";
import { agentOfSchedule, checkScheduleName, newScheduleName, REFRESH_SCHEDULE_TYPE } from "./schedule-name.ts";
import { fromScheduleRow, MAX_SCHEDULES, type Runner, type StoredSchedule, toScheduleRow } from "./schedule-rows.ts";
import { scheduleViolations } from "./validate-schedule.ts";
import { originOf, resealedWebhook, sealWebhook } from "./webhook.ts";

/** Schedules of the pinned questions of data agents. */
export interface RefreshSchedules {
  /** Runs as the caller from then on. INVALID_ARGUMENT for a question that is not on the board. */
  create(request: CreateRefreshScheduleRequest, caller: Caller): Promise<RefreshSchedule>;
  /** With the rows of the last run, where the caller may see them (CA-51); NOT_FOUND otherwise. */
  get(name: string, caller: Caller): Promise<RefreshSchedule>;
  /** Without rows. */
  list(request: ListRefreshSchedulesRequest, caller: Caller): Promise<SchedulePage>;
  /** Runs as the caller from then on. */
  update(request: UpdateRefreshScheduleRequest, caller: Caller): Promise<RefreshSchedule>;
  remove(name: string): Promise<void>;
  /** Seals the webhooks of all agents with the newest key. */
  reseal(): Promise<Resealed>;
}

interface SchedulePage {
  readonly refreshSchedules: readonly RefreshSchedule[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

interface RefreshSchedulesDeps {
  readonly store: ResourceStore;
  readonly agents: Pick<DataAgents, "get">;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Whether what somebody sees of data depends on who it is. */
  readonly isRuled: boolean;
}

const MINUTE_MS = 60_000;

/** Creates the schedules over the store. */
export function createRefreshSchedules(deps: RefreshSchedulesDeps): RefreshSchedules {
  const { store, ids } = deps;
  const inTurn = oneAtATime();
  return {
    async create({ parent, refreshSchedule }, caller) {
      const name = newScheduleName(parent, ids);
      const runsAs = runnerOf(caller);
      const incoming = clone(RefreshScheduleSchema, withoutOutputOnly(RefreshScheduleSchema, given(refreshSchedule)));
      const now = Math.floor(deps.clock.now());
      incoming.name = name;
      incoming.createTime = timestampFromMs(now);
      incoming.startTime ??= timestampFromMs(now - (now % MINUTE_MS));
      const stored = await ready({ schedule: incoming, runsAs, webhook: "", etag: ids.uuid() }, deps);
      await inTurn(async () => {
        const { length } = await store.names({ type: REFRESH_SCHEDULE_TYPE, parent });
        if (length >= MAX_SCHEDULES) throw tooMany(parent, length);
        await put(store, stored, "");
      });
      return stored.schedule;
    },
    get: async (name, caller) => shownTo(caller, await readSchedule(store, name, "name"), deps),
    list: (request, caller) => listSchedules(deps, request, caller),
    async update({ refreshSchedule, updateMask }, caller) {
      const incoming = withoutOutputOnly(RefreshScheduleSchema, given(refreshSchedule));
      const runsAs = runnerOf(caller);
      const before = await readSchedule(store, incoming.name, "refresh_schedule.name");
      const after = applyUpdate(RefreshScheduleSchema, before.schedule, incoming, updateMask?.paths ?? []);
      const changed = await ready({ ...before, schedule: after, runsAs, etag: ids.uuid() }, deps, before.schedule);
      await put(store, changed, before.etag);
      return changed.schedule;
    },
    async remove(name) {
      await readSchedule(store, name, "name");
      await store.write([{ kind: "delete", name }]);
    },
    reseal: () => {
      const everywhere = { type: REFRESH_SCHEDULE_TYPE, parent: "projects/-/locations/-/dataAgents/-" };
      return resealRows(store, everywhere, (row) => resealedSchedule(row, deps.sealer));
    },
  };
}

function resealedSchedule(row: ResourceRow, sealer: Sealer): ResourceRow | undefined {
  const stored = fromScheduleRow(row);
  const webhook = stored.webhook === "" ? undefined : resealedWebhook(stored.webhook, sealer);
  return webhook === undefined ? undefined : toScheduleRow({ ...stored, webhook });
}

function given(schedule: RefreshSchedule | undefined): RefreshSchedule {
  if (schedule) return schedule;
  throw invalidArgument({ field: "refresh_schedule", description: "Required field is not set." });
}

/** A schedule outlives the credential that made it, so that must be one of somebody with rights of their own. */
function runnerOf({ kind, principal, within, groups }: Caller): Runner {
  if (kind !== "apiKey" && kind !== "chatToken")
    return { kind, principal, ...definedFields({ within }), ...(groups.length > 0 && { hasGroups: true }) };
  throw failedPrecondition(
    "A schedule runs in the name of who makes it. Make it as a person, a service account or a workload.",
    { reason: "SCHEDULE_WITHOUT_IDENTITY", metadata: {} },
  );
}

/** Validates a schedule that is to be stored, seals its webhook, and sets when it runs and how its alert stands. */
async function ready(
  stored: StoredSchedule,
  deps: RefreshSchedulesDeps,
  before?: RefreshSchedule,
): Promise<StoredSchedule> {
  const { schedule } = stored;
  const { pinnedQuestions } = await deps.agents.get(agentOfSchedule(schedule.name), "parent");
  const questions = pinnedQuestions.map(({ question }) => question);
  const violations = scheduleViolations(schedule, questions);
  if (violations.length > 0) throw invalidArgument(violations);
  const now = Math.floor(deps.clock.now());
  schedule.updateTime = timestampFromMs(now);
  schedule.runsAs = stored.runsAs.principal;
  const next = nextRunTime(schedule, now);
  if (next) schedule.nextRunTime = next;
  if (before && before.question !== schedule.question) delete schedule.lastResult;
  const webhook = sealed(stored, deps.sealer);
  const isSame = webhook === stored.webhook && isSameCondition(before, schedule);
  return isSame ? { ...stored, webhook } : withNewAlert({ ...stored, webhook });
}

/** The sealed webhook; the message keeps its origin alone. An update without a URL keeps what was sealed before. */
function sealed({ schedule: { alert }, webhook }: StoredSchedule, sealer: Sealer): string {
  if (!alert?.webhook) return "";
  const { url, secret } = alert.webhook;
  const after = url === "" && secret === "" && webhook !== "" ? webhook : sealWebhook({ url, secret }, sealer);
  alert.webhook = create(WebhookSchema, { origin: originOf(after, sealer) });
  return after;
}

function isSameCondition(before: RefreshSchedule | undefined, after: RefreshSchedule): boolean {
  if (!before || before.question !== after.question) return false;
  const [was, is] = [before.alert, after.alert].map((alert) => alert && conditionOf(alert));
  return was && is ? equals(AlertSchema, was, is) : was === is;
}

function conditionOf({ column, aggregate, comparison, threshold }: NonNullable<RefreshSchedule["alert"]>) {
  return create(AlertSchema, { column, aggregate, comparison, threshold });
}

/** Another condition has crossed nothing yet, and nothing is left to tell. */
function withNewAlert({ delivery: _, ...stored }: StoredSchedule): StoredSchedule {
  const { alert } = stored.schedule;
  if (alert) {
    const { webhook } = alert;
    stored.schedule.alert = create(AlertSchema, { ...conditionOf(alert), ...definedFields({ webhook }) });
  }
  return stored;
}

/** Reads a stored schedule. NOT_FOUND where there is none. */
async function readSchedule(store: ResourceStore, name: string, field: string): Promise<StoredSchedule> {
  checkScheduleName(name, field);
  const row = await store.get(name);
  if (row?.type !== REFRESH_SCHEDULE_TYPE) throw notFound(name, REFRESH_SCHEDULE_TYPE);
  return fromScheduleRow(row);
}

async function put(store: ResourceStore, stored: StoredSchedule, ifEtag: string): Promise<void> {
  await store.write([{ kind: "put", row: toScheduleRow(stored), ifEtag }]).catch((error: unknown) => {
    if (!(error instanceof StaleEtagError)) throw error;
    throw aborted(`'${stored.schedule.name}' was changed meanwhile. Read it again, then repeat the change.`);
  });
}

/** With rules, rows and values are for who they were read for. */
function shownTo(
  caller: Caller,
  { schedule, runsAs }: StoredSchedule,
  { isRuled }: RefreshSchedulesDeps,
): RefreshSchedule {
  const isRunner = caller.principal !== "" && caller.principal === runsAs.principal;
  if (!isRuled || caller.kind === "operator" || isRunner) return schedule;
  delete schedule.lastResult;
  if (schedule.alert) delete schedule.alert.lastValue;
  if (schedule.lastError !== "") schedule.lastError = "The last run failed; the person it runs as sees the reason.";
  return schedule;
}

async function listSchedules(
  deps: RefreshSchedulesDeps,
  request: ListRefreshSchedulesRequest,
  caller: Caller,
): Promise<SchedulePage> {
  const size = pageSizeOf(request.pageSize, PAGES);
  const checksum = requestChecksum(ListRefreshSchedulesRequestSchema, request);
  const after = decodePageToken(request.pageToken, checksum, "sorted");
  const query = { type: REFRESH_SCHEDULE_TYPE, parent: request.parent, orderBy: "name", descending: false } as const;
  const page = await deps.store.list({ ...query, limit: size, ...definedFields({ after }) });
  return {
    refreshSchedules: page.rows.map((row: ResourceRow) => {
      const schedule = shownTo(caller, fromScheduleRow(row), deps);
      delete schedule.lastResult;
      return schedule;
    }),
    nextPageToken: page.last ? encodePageToken([...page.last], checksum) : "",
  };
}

function tooMany(agent: string, count: number) {
  return resourceExhausted(`'${agent}' has ${count} schedules, which is the limit. Delete one.`, {
    reason: "TOO_MANY_REFRESH_SCHEDULES",
    metadata: { agent },
  });
}
