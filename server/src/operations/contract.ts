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
   * Stores a new operation under a location and starts its work. With `wait`, answers after the work is done when that takes
   * less than a few milliseconds, so that quick work is `done` in the first answer.
   */
  start<O extends DescMessage>(options: {
    readonly parent: string;
    readonly kind: string;
    readonly metadata?: Message;
    readonly response: O;
    readonly work: OperationWork<O>;
  }): Promise<Operation>;
  get(name: string): Promise<Operation>;
  list(parent: string, pageSize: number, pageToken: string): Promise<{ readonly operations: readonly Operation[]; readonly nextPageToken: string }>;
  remove(name: string): Promise<void>;
  /** Best effort; the operation ends with CANCELLED when the work obeys. */
  cancel(name: string): Promise<void>;
  /** Resolves when done, or after `timeoutMs` with the current state. */
  wait(name: string, timeoutMs: number): Promise<Operation>;
  /** Called once at start: what a crash left undone fails with ABORTED and says so. */
  recover(): Promise<void>;
  /** Waits for running work, at most `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}
