import type { App } from "@frontdesk/protos/ces/app";
import { etagOf, shallowCopy } from "#aip";
import { type Clock, createPauses, mapWithPauses } from "#base";
import { aborted, failedPrecondition, notFound } from "#status";
import { type ResourceStore, StaleEtagError } from "#storage";
import type { AppState, Entry } from "../app-state.ts";
import type { AppStates } from "../app-states.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { stamp, stampAuthor } from "../resource.ts";
import { checkChanges, type RequiredPolicy } from "./check-changes.ts";
import { Derivations } from "./derivations.ts";
import type { Change, MakePlan, Plan } from "./plan.ts";
import { type ChangeFacts, toAnnotationWrites, toWrites } from "./to-writes.ts";

/** Attempts of a write while another server changes the app. */
const MAX_ATTEMPTS = 6;

interface AppWriterDeps {
  readonly store: ResourceStore;
  readonly states: AppStates;
  readonly python: PythonChecks;
  readonly clock: Clock;
}

interface AppWriterParts extends AppWriterDeps {
  readonly derivations: Derivations;
}

interface WriteOptions {
  /** The plan creates the app. Default false: a missing app is NOT_FOUND. */
  readonly createsApp?: boolean;
  readonly ignoreLock?: boolean;
  /** A change that unlocks the app is allowed although it is locked. Default false. */
  readonly mayUnlock?: boolean;
  readonly validateOnly?: boolean;
  /** The plan only sets output-only fields: no lock, no checks, no new etag or time, no log. Default false. */
  readonly isAnnotation?: boolean;
  /** Default `all`. */
  readonly required?: RequiredPolicy;
  /** Who makes the changes. Default "": unknown. */
  readonly author?: string;
}

/** The only writer of what is below an app. */
export interface AppWriter {
  /**
   * Makes a plan from the app's state, checks it, derives output-only fields and writes all in one transaction with the log entries. Returns
   * the new state. Writes of one app run one after the other.
   */
  write(app: string, makePlan: MakePlan, options?: WriteOptions): Promise<AppState>;
}

/** Creates the writer. */
export function createAppWriter(deps: AppWriterDeps): AppWriter {
  const mutex = new KeyedMutex();
  const parts = { ...deps, derivations: new Derivations(deps.python) };
  return {
    write: (app, makePlan, options = {}) => mutex.run(app, () => writeWithRetries(app, makePlan, options, parts)),
  };
}

async function writeWithRetries(
  app: string,
  makePlan: MakePlan,
  options: WriteOptions,
  deps: AppWriterParts,
): Promise<AppState> {
  for (let attempt = 1; ; attempt++) {
    const { state } = attempt === 1 ? await deps.states.load(app) : await deps.states.reload(app);
    try {
      return await writeOnce(state, makePlan, options, deps);
    } catch (error) {
      if (!(error instanceof StaleEtagError)) throw error;
      if (attempt === MAX_ATTEMPTS) throw aborted(`'${app}' is being changed by other requests; try again.`);
    }
  }
}

async function writeOnce(
  state: AppState,
  makePlan: MakePlan,
  options: WriteOptions,
  deps: AppWriterParts,
): Promise<AppState> {
  if (!state.app && !options.createsApp) throw notFound(state.name, "ces.googleapis.com/App");
  const plan = await makePlan(state);
  if (plan.changes.length === 0) return state;
  if (options.isAnnotation) return annotate(state, plan, deps);
  if (!options.ignoreLock) checkLock(state, plan, options.mayUnlock ?? false);
  const changes = await mapWithPauses(plan.changes, (change) => deriveOwn(change, deps.python));
  const planned = state.with(entriesOf(changes));
  await checkChanges(changes, planned, deps.store, options.required ?? "all");
  const made = { now: deps.clock.now(), author: options.author ?? "" };
  const names = new Set(changes.map(({ name }) => name));
  const types = new Set(changes.map(({ definition }) => definition.type.type));
  const next = planned.app
    ? await stampAll(await deps.derivations.derive(planned, names, types), changes, made)
    : planned;
  if (!options.validateOnly)
    await deps.store.write(await toWrites(state, next, { ...plan, changes }, made, deps.store));
  return next;
}

async function annotate(state: AppState, { changes }: Plan, { store, clock }: AppWriterDeps): Promise<AppState> {
  const next = state.with(entriesOf(changes));
  await store.write(await toAnnotationWrites(state, next, clock.now()));
  return next;
}

/** Throws FAILED_PRECONDITION when the app is locked (App.locked's comment), except for the UpdateApp that unlocks it. */
function checkLock(state: AppState, { changes }: Plan, mayUnlock: boolean): void {
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
      after && { definition, resource: after, row: before?.row },
    ]),
  );
}

/** Sets etag, times and authors of the changed resources; resources with new derived fields only keep theirs. */
async function stampAll(state: AppState, changes: readonly Change[], { now, author }: ChangeFacts): Promise<AppState> {
  const pause = createPauses();
  const stamped = new Map<string, Entry>();
  for (const { name, definition, before } of changes) {
    const entry = state.entries.get(name);
    if (!entry) continue;
    const resource = shallowCopy(entry.resource);
    stamp(definition.desc, resource, {
      etag: etagOf(definition.desc, resource),
      createTime: before?.row.createTime ?? now,
      updateTime: now,
    });
    stampAuthor(definition.desc, resource, author, before?.resource);
    stamped.set(name, { ...entry, resource });
    await pause();
  }
  return state.with(stamped);
}

/** Runs work of the same key one after the other, and of different keys concurrently. */
class KeyedMutex {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after all earlier work of the key has ended, however it ended. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#tails.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
    }
  }
}
