import type { DescMessage, Message } from "@bufbuild/protobuf";
import {
  type ListOperationsRequest,
  ListOperationsRequestSchema,
  type Operation,
  OperationSchema,
} from "@frontdesk/protos/google/longrunning/operations";
import {
  compileFilter,
  decodePageToken,
  encodePageToken,
  locationOf,
  pageSizeOf,
  requestChecksum,
  scanPage,
} from "#aip";
import { type Clock, definedFields, type Ids, LONGEST_TIMER_MS, type Logger } from "#base";
import { aborted, failedPrecondition, notFound } from "#status";
import type { OperationRow, OperationStore } from "#storage";
import { ATTEMPTS, type Attempts } from "./attempts.ts";
import type {
  JobQuery,
  OperationObserver,
  OperationStart,
  Operations,
  OperationWork,
  RepeatingWork,
  ResumableKind,
  StoredJob,
} from "./contract.ts";
import {
  packError,
  packMetadata,
  reopenedMetadata,
  restampMetadata,
  toJob,
  toOperation,
  unpackMetadata,
} from "./operation-row.ts";
import { failedRow, newestOf, repeatingName, SERVER_WIDE } from "./repeating-work.ts";
import { type Again, RunningOperation } from "./running-operation.ts";

/** What operations need. */
interface OperationsDeps {
  readonly store: OperationStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  /**
   * Work that takes no longer than this, in milliseconds, is done in the response to the call that started it: most resource
   * changes are. Default 20.
   */
  readonly quickMs?: number;
  /** Default: nobody is told. */
  readonly observer?: OperationObserver;
  /** How often work is tried that can be begun again. Default `ATTEMPTS`. */
  readonly attempts?: Attempts;
}

/** Creates the long-running operations of a server. */
export function createOperations(deps: OperationsDeps): Operations {
  return new StoredOperations(deps);
}

/** The work of an operation, and the promise that its result is stored, or kept in memory. That promise never rejects. */
interface Running {
  readonly operation: RunningOperation;
  readonly finished: Promise<void>;
}

/** Operations as rows of the store, and the work that runs in this process. */
class StoredOperations implements Operations {
  readonly #deps: OperationsDeps;
  readonly #running = new Map<string, Running>();
  /** Operations that are being stored, and will run: no take-over may find them meanwhile. */
  readonly #starting = new Set<string>();
  /** Results that the store did not take: returned until the server ends; after that, `recover` reports them as lost. */
  readonly #unstored = new Map<string, OperationRow>();
  readonly #stopping = new AbortController();
  /** The kinds of work that can be begun again. */
  #kinds: readonly ResumableKind[] = [];

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
  }

  async start<O extends DescMessage>(options: OperationStart<O>): Promise<Operation> {
    const { subject, kind, metadata, response, idPrefix, work } = options;
    const { store, clock, ids, quickMs = 20 } = this.#deps;
    const createTime = clock.now();
    const parent = locationOf(subject);
    const row: OperationRow = {
      name: `${parent}/operations/${idPrefix === undefined ? "" : `${idPrefix}-`}${ids.uuid()}`,
      parent,
      subject,
      done: false,
      createTime,
      kind,
      metadata: metadata ? packMetadata(metadata, { createTime }) : EMPTY,
      response: EMPTY,
      error: EMPTY,
      ...{ attempts: 0, isDead: false, lastError: EMPTY },
    };
    // Stored before the work begins, so that `recover` finds it after a crash in the middle of the work.
    this.#starting.add(row.name);
    const { operation, finished } = await store
      .put(row)
      .then(() => this.#run(row, response, work))
      .finally(() => this.#starting.delete(row.name));
    await settledWithin(operation.ended, quickMs);
    if (operation.done) await finished;
    return this.get(row.name);
  }

  async get(name: string): Promise<Operation> {
    return toOperation(await this.#read(name));
  }

  async list(
    request: ListOperationsRequest,
    isListed: (operation: Operation, subject: string) => boolean | Promise<boolean> = () => true,
  ): Promise<{ operations: readonly Operation[]; nextPageToken: string }> {
    const checksum = requestChecksum(ListOperationsRequestSchema, request);
    const passes = compileFilter(OperationSchema, request.filter) ?? (() => true);
    const { items, next } = await scanPage<OperationRow, Operation, string>({
      size: pageSizeOf(request.pageSize),
      after: decodePageToken(request.pageToken, checksum, "name"),
      read: (after, limit) => this.#deps.store.list(request.name, limit, after),
      itemOf: async (row) => {
        const operation = toOperation(row);
        return passes(operation) && (await isListed(operation, subjectIn(row))) ? operation : undefined;
      },
      positionOf: ({ name }) => name,
    });
    return { operations: items, nextPageToken: next ? encodePageToken(next, checksum) : "" };
  }

  async subjectOf(name: string): Promise<string> {
    const row = this.#unstored.get(name) ?? (await this.#deps.store.get(name));
    return row ? subjectIn(row) : locationOf(name);
  }

  async remove(name: string): Promise<void> {
    this.#running.get(name)?.operation.forget();
    this.#unstored.delete(name);
    if (!(await this.#deps.store.remove(name))) throw notFound(name, OPERATION_TYPE);
  }

  async cancel(name: string): Promise<void> {
    const { done } = await this.#read(name);
    const running = this.#running.get(name);
    if (running) await running.operation.cancel();
    else if (!done) await this.#deps.store.shared?.requestCancel(name);
  }

  async wait(name: string, timeoutMs: number): Promise<Operation> {
    const running = this.#running.get(name);
    if (running) await settledWithin(running.finished, timeoutMs);
    else if (this.#deps.store.shared) await this.#finishedElsewhere(name, timeoutMs);
    return this.get(name);
  }

  /** Another server works on the operation, and stores when it is done. */
  async #finishedElsewhere(name: string, timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (!(await this.#read(name)).done && performance.now() < until) await settledWithin(NEVER, LOOK_MS);
  }

  async follow(): Promise<void> {
    const asked = await this.#deps.store.shared?.askedOf([...this.#running.keys()]);
    await Promise.all((asked?.cancelled ?? []).map((name) => this.#running.get(name)?.operation.cancel()));
    for (const name of asked?.lost ?? []) {
      this.#deps.logger.warn({ operation: name }, "another server took this operation over");
      this.#running.get(name)?.operation.giveUp();
    }
  }

  async recover(resumable: readonly ResumableKind[] = []): Promise<void> {
    const { store, clock, logger, observer } = this.#deps;
    this.#kinds = resumable;
    const isMine = (name: string) => this.#running.has(name) || this.#starting.has(name);
    const unfinished = (await store.unfinished()).filter(({ name }) => !isMine(name));
    const left = unfinished.filter((row) => !this.#resume(row));
    await Promise.all(left.map((row) => store.put(lost(row, clock.now()))));
    for (const { kind } of left) observer?.takenOver(kind, "lost");
    if (left.length > 0)
      logger.warn({ operations: left.map(({ name }) => name) }, "operations were lost when the server stopped");
  }

  async jobs({ size, ...query }: JobQuery, isListed: (subject: string) => boolean | Promise<boolean>) {
    const most = (this.#deps.attempts ?? ATTEMPTS).most;
    const mostOf = (kind: string) => (this.#kinds.some((known) => known.kind === kind) ? most : 1);
    const { items, next } = await scanPage<OperationRow, StoredJob, readonly [string | number, string]>({
      ...{ size, after: query.after },
      read: async (after, limit) => {
        const read = (parent: string) =>
          this.#deps.store.newest({ ...query, parent, ...definedFields({ after }), limit });
        return newestOf(await Promise.all([...new Set([query.parent, SERVER_WIDE])].map(read)), limit);
      },
      itemOf: async (row) => ((await isListed(subjectIn(row))) ? toJob(row, mostOf(row.kind)) : undefined),
      positionOf: ({ createTime, name }) => [createTime, name],
    });
    return { jobs: items, ...definedFields({ last: next }) };
  }

  async retry(name: string): Promise<StoredJob> {
    const row = await this.#read(name);
    const kind = this.#kinds.find((candidate) => candidate.kind === row.kind);
    if (!row.isDead || !kind) throw noDeadLetter(name);
    await kind.begunAgain?.(toJob(row, 0).error);
    const metadata = reopenedMetadata(row.metadata);
    const open: OperationRow = { ...row, ...REOPENED, metadata, dueTime: undefined };
    this.#starting.add(name);
    try {
      if (!(await this.#deps.store.reopen(open))) throw noDeadLetter(name);
      this.#resume(open);
    } finally {
      this.#starting.delete(name);
    }
    return toJob(open, (this.#deps.attempts ?? ATTEMPTS).most);
  }

  async repeatFailed(work: RepeatingWork & { readonly metadata: Message; readonly error: unknown }): Promise<void> {
    const { store, clock, attempts = ATTEMPTS, observer } = this.#deps;
    const kind = this.#kinds.find((known) => known.kind === work.kind);
    if (!kind) throw new Error(`${work.kind} is no kind of work that can be begun again`);
    const parent = locationOf(work.subject);
    const name = repeatingName(parent, work);
    const before = await store.get(name);
    if (before && !before.done) return;
    // The row may be one of a server that ended, which `put` leaves as it is.
    if (before) await store.remove(name);
    this.#unstored.delete(name);
    const row = failedRow({ name, parent }, work, clock.now(), attempts);
    this.#starting.add(name);
    try {
      await store.put(row);
      if (row.done) return;
      observer?.triedAgain(row.kind);
      this.#run(row, kind.response, kind.work(work.metadata, row.subject));
    } finally {
      this.#starting.delete(name);
    }
  }

  async repeatSucceeded(work: RepeatingWork): Promise<void> {
    const name = repeatingName(locationOf(work.subject), work);
    if ((await this.#deps.store.get(name))?.isDead) await this.#deps.store.remove(name);
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await settledWithin(Promise.all([...this.#running.values()].map(({ finished }) => finished)), timeoutMs);
  }

  /** Goes on with an operation. False when its kind cannot, or when its metadata is missing. */
  #resume(row: OperationRow): boolean {
    const kind = this.#kinds.find((candidate) => candidate.kind === row.kind);
    const metadata = unpackMetadata(row.metadata);
    if (!kind || !metadata) return false;
    this.#run(row, kind.response, kind.work(metadata, row.subject));
    this.#deps.observer?.takenOver(row.kind, "resumed");
    return true;
  }

  #run<O extends DescMessage>(row: OperationRow, response: O, work: OperationWork<O>): Running {
    const { attempts = ATTEMPTS } = this.#deps;
    const operation = new RunningOperation(row, { ...this.#deps, attempts, stopping: this.#stopping.signal });
    const { promise: finished, resolve } = Promise.withResolvers<void>();
    const running = { operation, finished };
    this.#running.set(row.name, running);
    const { observer } = this.#deps;
    observer?.started(row.kind);
    void operation.run(response, work, this.#againOf(row)).then((unstored) => {
      observer?.ended(row.kind, operation.errorCode);
      if (unstored) this.#unstored.set(row.name, unstored);
      this.#running.delete(row.name);
      resolve();
    });
    return running;
  }

  /** How further attempts are made; undefined for a kind that cannot be begun again. */
  #againOf({ kind, metadata }: OperationRow): Again | undefined {
    const known = this.#kinds.find((candidate) => candidate.kind === kind);
    if (!known || metadata.length === 0) return undefined;
    return (row) => known.work(unpackMetadata(row.metadata) as Message, row.subject);
  }

  async #read(name: string): Promise<OperationRow> {
    const row = this.#unstored.get(name) ?? (await this.#deps.store.get(name));
    if (!row) throw notFound(name, OPERATION_TYPE);
    return row;
  }
}

const EMPTY = new Uint8Array();
const NEVER = new Promise<void>(() => {});
/** Milliseconds between two looks at an operation of another server. */
const LOOK_MS = 200;

/** What a dead letter loses when it is begun again. */
const REOPENED = { done: false, isDead: false, attempts: 0, error: EMPTY };

function noDeadLetter(name: string): Error {
  return failedPrecondition(
    `'${name}' is no dead letter: only an operation that failed, and whose kind can be begun again, is tried again.`,
    { reason: "NOT_A_DEAD_LETTER" },
  );
}

/** Operations of earlier releases have no subject. */
function subjectIn({ subject, parent }: OperationRow): string {
  return subject || parent;
}

const OPERATION_TYPE = "longrunning.googleapis.com/Operation";

/** An operation that ran when the server stopped, as it is stored after the restart. */
function lost(row: OperationRow, endTime: number): OperationRow {
  const error = aborted(
    `The server stopped while this operation (${row.kind}) was running, so it did not finish. Start it again.`,
    { reason: "SERVER_STOPPED" },
  );
  return { ...row, done: true, metadata: restampMetadata(row.metadata, { endTime }), error: packError(error) };
}

/** Waits for a promise that never rejects, at most this many milliseconds. Leaves no timer behind. */
async function settledWithin(promise: Promise<unknown>, milliseconds: number): Promise<void> {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER_MS));
  await Promise.race([promise, elapsed]);
  clearTimeout(timer);
}
