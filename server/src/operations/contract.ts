import type { DescMessage, Message, MessageInitShape } from "@bufbuild/protobuf";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";

/** What the work of an operation may do while it runs. */
export interface OperationHandle {
  readonly name: string;
  readonly signal: AbortSignal;
  /** Replaces the operation's metadata, durable. */
  progress(metadata: Message): Promise<void>;
}

/** The work: its result becomes `Operation.response`; a throw becomes `Operation.error`. */
export type OperationWork<O extends DescMessage> = (handle: OperationHandle) => Promise<MessageInitShape<O>>;

export interface Operations {
  /**
   * Stores a new operation under a location and starts its work. Work that takes no more than 20 ms is `done` in this answer.
   * A metadata message that has `create_time`, `end_time` and `requested_cancellation` (as `OperationMetadata` does) gets them
   * filled in; its type must be one of those that the services' long-running methods name.
   */
  start<O extends DescMessage>(options: {
    readonly parent: string;
    readonly kind: string;
    readonly metadata?: Message;
    readonly response: O;
    readonly work: OperationWork<O>;
  }): Promise<Operation>;
  /** The operation as it is stored, or NOT_FOUND. */
  get(name: string): Promise<Operation>;
  /** A page of a location's operations in the order of their names. INVALID_ARGUMENT for a negative size or a foreign token. */
  list(
    parent: string,
    pageSize: number,
    pageToken: string,
  ): Promise<{ readonly operations: readonly Operation[]; readonly nextPageToken: string }>;
  /** Forgets an operation and its result, without cancelling its work. NOT_FOUND for an unknown one. */
  remove(name: string): Promise<void>;
  /** Best effort: fires the work's signal, and the operation ends with CANCELLED when the work obeys. Does nothing to one that is done. */
  cancel(name: string): Promise<void>;
  /** Resolves when done, or after `timeoutMs` with the current state. */
  wait(name: string, timeoutMs: number): Promise<Operation>;
  /** Called once at start: what a crash left undone fails with ABORTED and says so. */
  recover(): Promise<void>;
  /** Waits for running work, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}
