import { clone } from "@bufbuild/protobuf";
import type { App } from "@frontdesk/protos/ces/app";
import { etagOf } from "#aip";
import type { Clock } from "#base";
import { aborted, failedPrecondition, notFound } from "#status";
import { type ResourceStore, StaleEtagError } from "#storage";
import type { AppState, Entry } from "../app-state.ts";
import type { AppStates } from "../app-states.ts";
import { KeyedMutex } from "../keyed-mutex.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { type Resource, stamp } from "../resource.ts";
import { checkChanges, type RequiredPolicy } from "./check-changes.ts";
import type { Change, MakePlan, Plan } from "./plan.ts";
import { toAnnotationWrites, toWrites } from "./to-writes.ts";

/** How often a plan is made again because another server changed the app meanwhile. */
const MAX_ATTEMPTS = 6;

export interface AppWriterDeps {
  readonly store: ResourceStore;
  readonly states: AppStates;
  readonly python: PythonChecks;
  readonly clock: Clock;
  /** Who asks; "" when unknown. */
  readonly author: () => string;
}

export interface WriteOptions {
  /** The plan creates the app. Default false: a missing app is NOT_FOUND. */
  readonly createsApp?: boolean;
  readonly ignoreLock?: boolean;
  /** A change that takes the app's lock away passes the lock. Default false. */
  readonly mayUnlock?: boolean;
  readonly validateOnly?: boolean;
  /** The plan only sets output-only fields: no lock, no checks, no new etag or time, no log. Default false. */
  readonly isAnnotation?: boolean;
  /** Default `all`. */
  readonly required?: RequiredPolicy;
}

/** The one way to change what lies below an app. */
export interface AppWriter {
  /**
   * Plans against the app as it is, checks, derives and writes all of it in one transaction with its log entries. Answers the state
   * that the app has then. Writers of one app take turns.
   */
  write(app: string, makePlan: MakePlan, options?: WriteOptions): Promise<AppState>;
}

/** Creates the writer. */
export function createAppWriter(deps: AppWriterDeps): AppWriter {
  const turns = new KeyedMutex();
  return {
    write: (app, makePlan, options = {}) => turns.run(app, () => writeWithRetries(app, makePlan, options, deps)),
  };
}

async function writeWithRetries(
  app: string,
  makePlan: MakePlan,
  options: WriteOptions,
  deps: AppWriterDeps,
): Promise<AppState> {
  for (let attempt = 1; ; attempt++) {
    const { state } = attempt === 1 ? await deps.states.load(app) : await deps.states.reload(app);
    try {
      return await writeOnce(state, makePlan, options, deps);
    } catch (error) {
      if (!(error instanceof StaleEtagError)) throw error;
      if (attempt === MAX_ATTEMPTS) throw aborted(`'${app}' is being changed by others all the time; try again.`);
    }
  }
}

async function writeOnce(
  state: AppState,
  makePlan: MakePlan,
  options: WriteOptions,
  deps: AppWriterDeps,
): Promise<AppState> {
  if (!state.app && !options.createsApp) throw notFound(state.name, "ces.googleapis.com/App");
  const plan = await makePlan(state);
  if (plan.changes.length === 0) return state;
  if (options.isAnnotation) return annotate(state, plan, deps);
  if (!options.ignoreLock) refuseWhenLocked(state, plan, options.mayUnlock ?? false);
  const changes = await Promise.all(plan.changes.map((change) => deriveOwn(change, deps.python)));
  const planned = state.with(entriesOf(changes));
  await checkChanges(changes, planned, deps.store, options.required ?? "all");
  const now = deps.clock.now();
  const next = planned.app ? stampAll(await deriveAll(planned, deps.python), changes, now) : planned;
  if (!options.validateOnly) await deps.store.write(await toWrites(state, next, changes, plan, now, deps));
  return next;
}

async function annotate(state: AppState, { changes }: Plan, { store, clock }: AppWriterDeps): Promise<AppState> {
  const next = state.with(entriesOf(changes));
  await store.write(toAnnotationWrites(state, next, clock.now()));
  return next;
}

/** `App.locked` lets nothing through (its comment) but the UpdateApp that takes the lock away. */
function refuseWhenLocked(state: AppState, { changes }: Plan, mayUnlock: boolean): void {
  if (!state.app?.locked) return;
  const unlocks =
    mayUnlock && changes.some(({ name, after }) => name === state.name && after && !(after as unknown as App).locked);
  if (unlocks) return;
  throw failedPrecondition(`The app '${state.name}' is locked for changes; set its 'locked' field to false first.`, {
    reason: "APP_LOCKED",
    metadata: { app: state.name },
  });
}

async function deriveOwn(change: Change, python: PythonChecks): Promise<Change> {
  const { rules } = change.definition;
  if (!change.after || !rules.deriveOwn || change.isDependent) return change;
  return { ...change, after: await rules.deriveOwn(change.after, python) };
}

function entriesOf(changes: readonly Change[]): ReadonlyMap<string, Entry | undefined> {
  return new Map(
    changes.map(({ name, definition, before, after }) => [
      name,
      after && { definition, resource: after, ...(before && { row: before.row }) },
    ]),
  );
}

/** Everything that depends on something else in the app, computed again. Entries that come out the same stay the same objects. */
async function deriveAll(state: AppState, python: PythonChecks): Promise<AppState> {
  const derived = await Promise.all(
    [...state.entries.values()].map(async (entry): Promise<readonly [string, Entry]> => {
      const { rules } = entry.definition;
      const resource = rules.deriveFromState
        ? await rules.deriveFromState(entry.resource, state, python)
        : entry.resource;
      return [entry.resource.name, resource === entry.resource ? entry : { ...entry, resource }];
    }),
  );
  return state.with(new Map(derived));
}

/** Gives the changed resources their etag and times; what was only derived anew keeps its own. */
function stampAll(state: AppState, changes: readonly Change[], now: number): AppState {
  const stamped = new Map<string, Entry>();
  for (const { name, definition, before } of changes) {
    const entry = state.entries.get(name);
    if (!entry) continue;
    const resource = clone(definition.desc, entry.resource) as Resource;
    stamp(definition.desc, resource, {
      etag: etagOf(definition.desc, resource),
      createTime: before?.row.createTime ?? now,
      updateTime: now,
    });
    stamped.set(name, { ...entry, resource });
  }
  return state.with(stamped);
}
