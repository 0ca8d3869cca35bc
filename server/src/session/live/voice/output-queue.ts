import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type BidiSessionServerMessage, BidiSessionServerMessageSchema } from "@frontdesk/protos/ces/session_service";

type MessageInit = NonNullable<MessageInitShape<typeof BidiSessionServerMessageSchema>["messageType"]>;

/** Most queued messages before audio and the next turn have to wait: two seconds of audio. */
const MANY = 32;
/** Most queued messages before the client is not read any more: what a turn says besides, and answers to variables. */
const MOST = 256;

/**
 * The messages that wait for one client to read them. What a turn says is always queued; audio, the next turn and the client's next message wait first
 * (WIRE-82). Audio is dropped when the user interrupts it.
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
  waitForCapacity(): Promise<void> {
    return this.#fewerThan(MANY);
  }

  /** Resolves when a client may send more, whose messages each are answered; or nobody reads any more. */
  waitForReader(): Promise<void> {
    return this.#fewerThan(MOST);
  }

  async #fewerThan(most: number): Promise<void> {
    while (this.#messages.length >= most && !this.#closed)
      await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
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
    const waiting = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of waiting) wake();
  }
}
