import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { ListOperationsRequest, Operation } from "@frontdesk/protos/google/longrunning/operations";
import type { Code } from "#status";

/** What the work of an operation gets. */
export interface OperationHandle {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Replaces the operation's metadata; durable when it resolves. */
  progress(metadata: Message): Promise<void>;
}

/** The work of an operation: its result becomes `Operation.response`, its error `Operation.error`. */
export type OperationWork<O extends DescMessage> = (handle: OperationHandle) => Promise<MessageInitShape<O>>;

/** An operation to start. */
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
  readonly work: OperationWork<O>;
}

/** A kind of work that goes on after the server stopped in the middle of it: what is done is stored, and the metadata says where. */
export interface ResumableKind {
  /** `OperationStart.kind` of the operations. */
  readonly kind: string;
  /** Message type of the result. */
  readonly response: DescMessage;
  /** The rest of the work of an operation. `metadata`: as it was stored last. */
  work(metadata: Message): OperationWork<DescMessage>;
}

/** Is told what becomes of operations, by their kinds. */
export interface OperationObserver {
  started(kind: string): void;
  /** `code`: of the error; undefined for none. */
  ended(kind: string, code: Code | undefined): void;
  /** An operation of a server that ended goes on here, or is lost. */
  takenOver(kind: string, outcome: "resumed" | "lost"): void;
}

/** The long-running operations of a server (google.longrunning, AIP-151). */
export interface Operations {
  /** Stores a new operation and starts its work. Work that takes no more than 20 ms is `done` in the response. */
  start<O extends DescMessage>(options: OperationStart<O>): Promise<Operation>;
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
  /** Cancels what another server was asked to cancel, and gives up what another server took over (DB-8). */
  follow(): Promise<void>;
  /** Waits for running work, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}
