/** A message of the server, as its JSON is on the wire; the gRPC client gives the same shape. */
export interface ServerMessage {
  readonly sessionOutput?: {
    readonly text?: string;
    readonly turnIndex?: number;
    readonly turnCompleted?: boolean;
    readonly diagnosticInfo?: { readonly messages: readonly unknown[] };
    readonly endSession?: object;
    readonly toolCalls?: { readonly toolCalls: readonly { readonly id: string; readonly displayName: string }[] };
  };
  readonly endSession?: { readonly metadata?: object };
  readonly goAway?: object;
}

/** One conversation, over any protocol: what a test sends and receives. */
export interface LiveClient extends AsyncDisposable {
  send(message: object): void;
  say(text: string): void;
  /** The next message; undefined when the server has ended the conversation. */
  next(): Promise<ServerMessage | undefined>;
  /** The messages of one turn, up to the one that completes it. */
  turn(): Promise<readonly ServerMessage[]>;
  /** No more will be said. */
  halfClose(): void;
}

/** Messages in order for whoever waits for them. */
export class Mailbox {
  readonly #messages: (ServerMessage | undefined)[] = [];
  #waiting: ((message: ServerMessage | undefined) => void) | undefined;

  put(message: ServerMessage | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(message);
    else this.#messages.push(message);
  }

  next(): Promise<ServerMessage | undefined> {
    if (this.#messages.length > 0) return Promise.resolve(this.#messages.shift());
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  async turn(): Promise<readonly ServerMessage[]> {
    const messages: ServerMessage[] = [];
    for (;;) {
      const message = await this.next();
      if (!message) throw new Error(`the conversation ended in the middle of a turn: ${JSON.stringify(messages)}`);
      messages.push(message);
      if (message.sessionOutput?.turnCompleted) return messages;
    }
  }
}

/** The words of some messages. */
export function textOf(messages: readonly ServerMessage[]): string {
  return messages.flatMap(({ sessionOutput }) => sessionOutput?.text || []).join("\n");
}
