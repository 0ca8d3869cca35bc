import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type BidiSessionServerMessage, BidiSessionServerMessageSchema } from "@frontdesk/protos/ces/session_service";

type MessageInit = NonNullable<MessageInitShape<typeof BidiSessionServerMessageSchema>["messageType"]>;

/** Messages that may wait before sound does: two seconds of it. */
const MANY = 32;

/**
 * What waits for one client to read it. Words always find a place; sound asks for `room` first, and is taken out again when
 * nobody is to hear it any more.
 */
export class Outbox {
  #messages: BidiSessionServerMessage[] = [];
  #closed: { readonly error?: unknown } | undefined;
  #wakeReader: (() => void) | undefined;
  #wakeWriters: (() => void)[] = [];

  /** Ignored after the end. */
  put(messageType: MessageInit): void {
    if (this.#closed) return;
    this.#messages.push(create(BidiSessionServerMessageSchema, { messageType }));
    this.#rouse();
  }

  /** Whether the client reads slower than it is written to. */
  get full(): boolean {
    return this.#messages.length >= MANY;
  }

  /** Resolves when there is room, or nobody reads any more. */
  async room(): Promise<void> {
    while (this.full && !this.#closed) await new Promise<void>((resolve) => this.#wakeWriters.push(resolve));
  }

  /** Takes out the sound that waits. */
  dropSound(): void {
    this.#messages = this.#messages.filter(
      ({ messageType }) => !(messageType.case === "sessionOutput" && messageType.value.outputType.case === "audio"),
    );
    this.#rouseWriters();
  }

  /** The reader ends after what waits. */
  end(): void {
    this.#closed ??= {};
    this.#rouse();
    this.#rouseWriters();
  }

  /** The same, and the reader then throws. */
  fail(error: unknown): void {
    this.#closed ??= { error };
    this.#rouse();
    this.#rouseWriters();
  }

  /** For one reader; when it leaves, nobody waits for room any more. */
  async *messages(): AsyncGenerator<BidiSessionServerMessage, void> {
    try {
      for (;;) {
        const message = this.#messages.shift();
        if (message) {
          this.#rouseWriters();
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

  #rouse(): void {
    const wake = this.#wakeReader;
    this.#wakeReader = undefined;
    wake?.();
  }

  #rouseWriters(): void {
    if (this.full && !this.#closed) return;
    const waiting = this.#wakeWriters;
    this.#wakeWriters = [];
    for (const wake of waiting) wake();
  }
}
