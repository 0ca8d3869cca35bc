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
import { type Clock, definedFields, type Ids, type Logger } from "#base";
import { failedPrecondition, notFound, toStatusError } from "#status";
import type { Job, JobEnd, JobQueues, OperationRow, OperationStore } from "#storage";
import { ATTEMPTS, type Attempts } from "./attempts.ts";
import type {
  JobQuery,
  OperationBegin,
  OperationObserver,
  OperationStart,
  Operations,
  OperationWork,
  RepeatingWork,
  ResumableKind,
  StoredJob,
} from "./contract.ts";
import { OperationJobs } from "./operation-jobs.ts";
import {
  endedRow,
  lostError,
  packError,
  packMetadata,
  reopenedMetadata,
  restampMetadata,
  toJob,
  toOperation,
  unpackMetadata,
} from "./operation-row.ts";
import { failedRow, newestOf, repeatingName, SERVER_WIDE } from "./repeating-work.ts";
import { cancelled, RunningOperation } from "./running-operation.ts";
import { settledWithin } from "./settled-within.ts";

/** What operations need. */
interface OperationsDeps {
  readonly store: OperationStore;
  readonly jobs: JobQueues;
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

/** The work of an operation. */
interface Running {
  readonly operation: RunningOperation;
  /** What came of it, once that is stored or kept in memory. Rejects when a job could not be put back. */
  readonly end: Promise<JobEnd>;
  /** Resolves after it. Never rejects. */
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
  readonly #jobs: OperationJobs;
  readonly #attempts: Attempts;

  constructor(deps: OperationsDeps) {
    this.#deps = deps;
    this.#attempts = deps.attempts ?? ATTEMPTS;
    this.#jobs = new OperationJobs({ ...deps, attempts: this.#attempts, run: (job) => this.#runJob(job) });
  }

  async start<O extends DescMessage>(options: OperationStart<O>): Promise<Operation> {
    const { response, work } = options;
    const row = this.#newRow(options);
    // Stored before the work begins, so that `recover` finds it after a crash in the middle of the work.
    this.#starting.add(row.name);
    const { operation, finished } = await this.#deps.store
      .put(row)
      .then(() => this.#run(row, response, work))
      .finally(() => this.#starting.delete(row.name));
    await settledWithin(operation.ended, this.#quickMs);
    if (operation.done) await finished;
    return this.get(row.name);
  }

  async begin(options: OperationBegin): Promise<Operation> {
    if (!this.#jobs.kindOf(options)) throw unknownKind(options.kind);
    // It waits until a server has room for it.
    const row = { ...this.#newRow(options), dueTime: this.#deps.clock.now() };
    this.#starting.add(row.name);
    try {
      await this.#deps.store.put(row);
      await options.prepare?.().catch((error: unknown) => this.#failPrepared(row, error));
      await this.#jobs.add(row);
    } finally {
      this.#starting.delete(row.name);
    }
    return this.wait(row.name, this.#quickMs);
  }

  get #quickMs(): number {
    return this.#deps.quickMs ?? 20;
  }

  #newRow({
    subject,
    kind,
    metadata,
    idPrefix,
  }: Pick<OperationStart<DescMessage>, "subject" | "kind" | "metadata" | "idPrefix">): OperationRow {
    const createTime = this.#deps.clock.now();
    const parent = locationOf(subject);
    return {
      name: `${parent}/operations/${idPrefix === undefined ? "" : `${idPrefix}-`}${this.#deps.ids.uuid()}`,
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
  }

  async #failPrepared(row: OperationRow, error: unknown): Promise<never> {
    await this.#deps.store.put(endedRow(row, packError(toStatusError(error)), this.#deps.clock.now()));
    throw error;
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
    const row = await this.#read(name);
    this.#running.get(name)?.operation.forget();
    this.#unstored.delete(name);
    if (!(await this.#deps.store.remove(name))) throw notFound(name, OPERATION_TYPE);
    await this.#jobs.remove(row);
  }

  async cancel(name: string): Promise<void> {
    const row = await this.#read(name);
    const running = this.#running.get(name);
    if (running && !running.operation.isPutBack) await running.operation.cancel();
    else if (row.done) return;
    else if (await this.#jobs.remove(row)) await this.#endWaiting(name);
    else await this.#deps.store.shared?.requestCancel(name);
  }

  /** Ends an operation whose job was taken out while it waited. */
  async #endWaiting(name: string): Promise<void> {
    const row = await this.#deps.store.claim(name);
    if (!row) return;
    const stamps = { endTime: this.#deps.clock.now(), requestedCancellation: true };
    const metadata = restampMetadata(row.metadata, stamps);
    const ended = { ...row, done: true, metadata, error: packError(cancelled()) };
    // A server may have taken the job just before.
    if (!(await this.#deps.store.change(ended))) await this.#deps.store.shared?.requestCancel(name);
  }

  async wait(name: string, timeoutMs: number): Promise<Operation> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      const row = await this.#read(name);
      const leftMs = until - performance.now();
      if (row.done || leftMs <= 0) return toOperation(row);
      // Between two attempts, and where another server works on it, the store alone says when it is done.
      const running = this.#running.get(name);
      await settledWithin(running?.finished ?? NEVER, running ? leftMs : Math.min(LOOK_MS, leftMs));
    }
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
    await this.#jobs.open(resumable);
    const isMine = (name: string) => this.#running.has(name) || this.#starting.has(name);
    const unfinished = (await store.unfinished()).filter(({ name }) => !isMine(name));
    this.#jobs.retainOnly(new Set(unfinished.map(({ name }) => name)));
    const isResumable = (row: OperationRow) => this.#jobs.kindOf(row) !== undefined && row.metadata.length > 0;
    await Promise.all(unfinished.filter(isResumable).map((row) => this.#restore(row)));
    const left = unfinished.filter((row) => !isResumable(row));
    await Promise.all(left.map((row) => store.put(endedRow(row, lostError(row), clock.now()))));
    for (const { kind } of left) observer?.takenOver(kind, "lost");
    if (left.length > 0)
      logger.warn({ operations: left.map(({ name }) => name) }, "operations were lost when the server stopped");
  }

  async jobs({ size, ...query }: JobQuery, isListed: (subject: string) => boolean | Promise<boolean>) {
    const mostOf = (row: OperationRow) => (this.#jobs.kindOf(row) ? this.#attempts.most : 1);
    const { items, next } = await scanPage<OperationRow, StoredJob, readonly [string | number, string]>({
      ...{ size, after: query.after },
      read: async (after, limit) => {
        const read = (parent: string) =>
          this.#deps.store.newest({ ...query, parent, ...definedFields({ after }), limit });
        return newestOf(await Promise.all([...new Set([query.parent, SERVER_WIDE])].map(read)), limit);
      },
      itemOf: async (row) => ((await isListed(subjectIn(row))) ? toJob(row, mostOf(row)) : undefined),
      positionOf: ({ createTime, name }) => [createTime, name],
    });
    return { jobs: items, ...definedFields({ last: next }) };
  }

  async retry(name: string): Promise<StoredJob> {
    const row = await this.#read(name);
    const kind = this.#jobs.kindOf(row);
    if (!row.isDead || !kind) throw noDeadLetter(name);
    await kind.begunAgain?.(toJob(row, 0).error);
    const metadata = reopenedMetadata(row.metadata);
    const open: OperationRow = { ...row, ...REOPENED, metadata, dueTime: undefined };
    this.#starting.add(name);
    try {
      if (!(await this.#deps.store.reopen(open))) throw noDeadLetter(name);
      await this.#jobs.remove(open);
      await this.#jobs.add(open);
    } finally {
      this.#starting.delete(name);
    }
    return toJob(open, this.#attempts.most);
  }

  async repeatFailed(work: RepeatingWork & { readonly metadata: Message; readonly error: unknown }): Promise<void> {
    const { store, clock, observer } = this.#deps;
    if (!this.#jobs.kindOf(work)) throw unknownKind(work.kind);
    const parent = locationOf(work.subject);
    const name = repeatingName(parent, work);
    const before = await store.get(name);
    if (before && !before.done) return;
    // The row may be one of a server that ended, which `put` leaves as it is.
    if (before) await this.remove(name);
    const now = clock.now();
    const row = failedRow({ name, parent }, work, now, this.#attempts);
    this.#starting.add(name);
    try {
      await store.put(row);
      if (row.dueTime === undefined) return;
      observer?.triedAgain(row.kind);
      await this.#jobs.add(row, row.dueTime - now);
    } finally {
      this.#starting.delete(name);
    }
  }

  async repeatSucceeded(work: RepeatingWork): Promise<void> {
    const name = repeatingName(locationOf(work.subject), work);
    if ((await this.#deps.store.get(name))?.isDead) await this.remove(name);
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#jobs.stop();
    await settledWithin(Promise.all([...this.#running.values()].map(({ finished }) => finished)), timeoutMs);
  }

  async #restore(row: OperationRow): Promise<void> {
    if (await this.#jobs.restore(row)) this.#deps.observer?.takenOver(row.kind, "resumed");
  }

  /** Makes an attempt at an operation that can be begun again. */
  async #runJob({ key: name, again }: Job): Promise<JobEnd> {
    // A job that took too long for its queue is handed out again while its work still runs.
    await this.#running.get(name)?.finished;
    const stored = await this.#deps.store.get(name);
    const kind = stored && this.#jobs.kindOf(stored);
    if (stored && !kind) {
      // Of a newer release: one of its servers takes it.
      await again(`${stored.kind} is no kind of work that this server knows`);
      return "again";
    }
    this.#jobs.noteTaken(name);
    const row = await this.#deps.store.claim(name);
    const metadata = row && unpackMetadata(row.metadata);
    if (!kind || !metadata) return "done";
    return this.#run(row, kind.response, kind.work(metadata, row.subject), again).end;
  }

  #run<O extends DescMessage>(row: OperationRow, response: O, work: OperationWork<O>, again?: Job["again"]): Running {
    const { observer } = this.#deps;
    const operation = new RunningOperation(row, { ...this.#deps, attempts: this.#attempts });
    observer?.started(row.kind);
    const end = operation
      .run(response, work, again)
      .then(({ end, unstored }) => {
        if (end === "again") this.#jobs.noteWaiting(row.name);
        else if (!operation.isAnothers) observer?.ended(row.kind, operation.errorCode);
        if (unstored) this.#unstored.set(row.name, unstored);
        return end;
      })
      .finally(() => {
        observer?.stopped(row.kind);
        this.#running.delete(row.name);
      });
    const finished = end.then(
      () => {},
      () => {},
    );
    const running = { operation, end, finished };
    this.#running.set(row.name, running);
    return running;
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

function unknownKind(kind: string): Error {
  return new Error(`${kind} is no kind of work that can be begun again`);
}
