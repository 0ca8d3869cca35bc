import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { ListOperationsRequest, Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Status } from "@frontdesk/protos/google/rpc/status";
import type { Code } from "#status";
import type { OperationQuery, OperationState } from "#storage";

/** An operation, with how often it was tried. */
export interface StoredJob {
  /** Name of the operation. */
  readonly name: string;
  readonly kind: string;
  readonly subject: string;
  readonly state: OperationState;
  readonly createTime: number;
  /** Attempts that failed. */
  readonly attempts: number;
  /** When the next attempt begins; undefined when none is waited for, and for the first one, which waits for a server that has room. */
  readonly dueTime: number | undefined;
  /** Why the operation, or else its last attempt, failed; undefined when none did. */
  readonly error: Status | undefined;
  /** Whether it can be begun again once it is a dead letter, and is tried again by itself. */
  readonly maxAttempts: number;
}

/** Which jobs to list. */
export type JobQuery = Omit<OperationQuery, "limit"> & { readonly size: number };

/** What the work of an operation gets. */
export interface OperationHandle {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Replaces the operation's metadata; durable when it resolves. */
  progress(metadata: Message): Promise<void>;
  /** Whether the work is begun again when it fails with this error (DB-15). */
  isTriedAgain(error: unknown): boolean;
}

/** The work of an operation: its result becomes `Operation.response`, its error `Operation.error`. */
export type OperationWork<O extends DescMessage> = (handle: OperationHandle) => Promise<MessageInitShape<O>>;

/** An operation to begin whose work a server does that has room for it, this one most often. */
export interface OperationBegin {
  /** As in `OperationStart`. */
  readonly subject: string;
  /** One of the resumable kinds. */
  readonly kind: string;
  /** What the work goes by, besides the subject. Stored as the operation's. */
  readonly metadata: Message;
  /** Stores what the work needs, once the operation is stored and before the work begins. An operation for which it fails has failed, for good. */
  readonly prepare?: () => Promise<void>;
}

/** An operation to start, whose work this server does. */
export interface OperationStart<O extends DescMessage> {
  /** What the work is about: a resource, or the location where it creates one. The operation is below its location. */
  readonly subject: string;
  /** Kind of work for logs and error messages, e.g. `ImportApp`. */
  readonly kind: string;
  /**
   * `create_time`, `end_time` and `requested_cancellation` are filled in where the message has them, as `OperationMetadata` does. Its type
   * must be one that a long-running method of the services names. Default none.
   */
  readonly metadata?: Message;
  /** Message type of the result. */
  readonly response: O;
  /** What its id begins with, before a hyphen. Default nothing. */
  readonly idPrefix?: string | undefined;
  readonly work: OperationWork<O>;
}

/**
 * A kind of work that can be begun again: what is done is stored, and the metadata says where. It goes on after the server stopped in the middle
 * of it, is tried again when it fails, and is a dead letter when it failed for good (DB-15).
 */
export interface ResumableKind {
  /** `OperationStart.kind` of the operations. */
  readonly kind: string;
  /** Message type of the result. */
  readonly response: DescMessage;
  /** The rest of the work of an operation. `metadata`: as it was stored last; `subject`: what it is about. */
  work(metadata: Message, subject: string): OperationWork<DescMessage>;
  /** Whether the work is about something that each server has for itself, so that the one where it failed tries again. Default false. */
  readonly isLocal?: boolean;
  /** Called before somebody's request begins a dead letter again, which had this error. */
  begunAgain?(error: Status | undefined): Promise<void>;
}

/** Work that repeats by itself, such as retention or a schedule: where and what it is. */
export interface RepeatingWork {
  /** What the work is about, as in `OperationStart`. */
  readonly subject: string;
  /** One of the resumable kinds, whose work for the subject is the next attempt. */
  readonly kind: string;
}

/** Is told what becomes of operations, by their kinds. */
export interface OperationObserver {
  started(kind: string): void;
  /** The work stopped: the operation has ended, or another attempt follows. */
  stopped(kind: string): void;
  /** `code`: of the error; undefined for none. */
  ended(kind: string, code: Code | undefined): void;
  /** An attempt failed, and another one follows. */
  triedAgain(kind: string): void;
  /** An operation of a server that ended goes on here, or is lost. */
  takenOver(kind: string, outcome: "resumed" | "lost"): void;
}

/** The long-running operations of a server (google.longrunning, AIP-151). */
export interface Operations {
  /** Stores a new operation and starts its work. Work that takes no more than 20 ms is `done` in the response. */
  start<O extends DescMessage>(options: OperationStart<O>): Promise<Operation>;
  /** Stores a new operation, which any server of the data then works on. Work that takes no more than 20 ms is `done` in the response. */
  begin(options: OperationBegin): Promise<Operation>;
  /** The operation as it is stored. NOT_FOUND for an unknown one. */
  get(name: string): Promise<Operation>;
  /** What an operation is about; its location where that is unknown, also for an operation that does not exist. */
  subjectOf(name: string): Promise<string>;
  /**
   * A page of the operations of a location that `isListed` accepts, in the order of their names. `filter` (AIP-160) tests the fields of an
   * operation: `done=true`, `error:*`. INVALID_ARGUMENT for a wrong filter, a negative page size or a page token of another request.
   */
  list(
    request: ListOperationsRequest,
    isListed?: (operation: Operation, subject: string) => boolean | Promise<boolean>,
  ): Promise<{ readonly operations: readonly Operation[]; readonly nextPageToken: string }>;
  /** Deletes an operation and its result, without cancelling its work. NOT_FOUND for an unknown one. */
  remove(name: string): Promise<void>;
  /** Best effort: aborts the work's signal; the operation ends with CANCELLED when the work stops. Does nothing when it is done. */
  cancel(name: string): Promise<void>;
  /** Resolves when done, or after `timeoutMs` with the current state. */
  wait(name: string, timeoutMs: number): Promise<Operation>;
  /**
   * Called at start, and where several servers share the operations every second: those of servers that have ended go on here when their kind is
   * resumable, else fail with ABORTED.
   */
  recover(resumable?: readonly ResumableKind[]): Promise<void>;
  /**
   * Work that repeats has failed: it is tried again as an operation of its own, and is a dead letter when it fails for good (DB-17). There is one
   * such operation for each work, so a failure is left to the attempts that are still to come, and takes the place of an earlier dead letter.
   */
  repeatFailed(work: RepeatingWork & { readonly metadata: Message; readonly error: unknown }): Promise<void>;
  /** Work that repeats has succeeded: a dead letter of it is about nothing any more, and removed. */
  repeatSucceeded(work: RepeatingWork): Promise<void>;
  /** Cancels what another server was asked to cancel, and gives up what another server took over (DB-8). */
  follow(): Promise<void>;
  /** A page of the jobs of a location that `isListed` accepts, the newest first. INVALID_ARGUMENT for a page token of another request. */
  jobs(
    query: JobQuery,
    isListed: (subject: string) => boolean | Promise<boolean>,
  ): Promise<{ readonly jobs: readonly StoredJob[]; readonly last?: readonly [string | number, string] }>;
  /** Begins a dead letter again, with all its attempts. NOT_FOUND for an unknown one, FAILED_PRECONDITION for one that is none. */
  retry(name: string): Promise<StoredJob>;
  /** Waits for running work, at most `timeoutMs`. What waits for its next attempt stays stored, for the next start or another server. */
  drain(timeoutMs: number): Promise<void>;
}
