import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type BidiSessionServerMessage, BidiSessionServerMessageSchema } from "@frontdesk/protos/ces/session_service";

type MessageInit = NonNullable<MessageInitShape<typeof BidiSessionServerMessageSchema>["messageType"]>;

/** Most queued messages before audio has to wait: two seconds of audio. */
const MANY = 32;

/**
 * The messages that wait for one client to read them. Text is always queued; audio calls `waitForCapacity` first, and is dropped when
 * the user interrupts it.
 */
export class OutputQueue {
  #messages: BidiSessionServerMessage[] = [];
  #closed: { readonly error?: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  /** Queues a message; ignored after the end. */
  put(messageType: MessageInit): void {
    if (this.#closed) return;
    this.#messages.push(create(BidiSessionServerMessageSchema, { messageType }));
    this.#notify();
  }

  /** Whether the client reads more slowly than messages are queued. */
  get full(): boolean {
    return this.#messages.length >= MANY;
  }

  /** Resolves when the queue has capacity, or nobody reads any more. */
  async waitForCapacity(): Promise<void> {
    while (this.full && !this.#closed) await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
  }

  /** Removes the queued audio. */
  dropAudio(): void {
    this.#messages = this.#messages.filter(
      ({ messageType }) => !(messageType.case === "sessionOutput" && messageType.value.outputType.case === "audio"),
    );
    this.#wakeWaitingWriters();
  }

  /** The reader ends after the queued messages. */
  end(): void {
    this.#closed ??= {};
    this.#notify();
    this.#wakeWaitingWriters();
  }

  /** Like `end`, but the reader then throws. */
  fail(error: unknown): void {
    this.#closed ??= { error };
    this.#notify();
    this.#wakeWaitingWriters();
  }

  /** For one reader; when it returns, writers wait no longer. */
  async *messages(): AsyncGenerator<BidiSessionServerMessage, void> {
    try {
      for (;;) {
        const message = this.#messages.shift();
        if (message) {
          this.#wakeWaitingWriters();
          yield message;
          continue;
        }
        if (this.#closed) {
          if ("error" in this.#closed) throw this.#closed.error;
          return;
        }
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    } finally {
      this.end();
    }
  }

  #notify(): void {
    const wake = this.#wakeReader;
    this.#wakeReader = undefined;
    wake?.();
  }

  #wakeWaitingWriters(): void {
    if (this.full && !this.#closed) return;
    const waiting = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of waiting) wake();
  }
}
