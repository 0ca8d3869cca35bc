import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import type { Clock } from "#base";
import type { History } from "../model-call/history.ts";
import { toTimestamp } from "../spans.ts";

/** A chunk before it is a message of its own. */
export type ChunkInit = MessageInitShape<typeof ChunkSchema>["data"];

/** Thought signatures of a turn: message position, then chunk position (CONV-5). */
export type Signatures = Record<number, Record<number, string>>;

/** Thought signatures by the chunk they belong to. */
export type SignedChunks = ReadonlyMap<ChunkInit, string>;

/** The messages of a turn, in order, each told to the prompt's history as it is recorded. */
export class Recorder {
  readonly turn: number;
  readonly signatures: Signatures = {};
  readonly #clock: Clock;
  readonly #history: History;
  readonly #messages: Message[] = [];

  constructor(turn: number, history: History, clock: Clock) {
    this.turn = turn;
    this.#history = history;
    this.#clock = clock;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Adds a message. `role` is `user` or an agent's display name; `signed` are the thought signatures of some of its chunks. */
  record(role: string, chunks: readonly ChunkInit[], signed?: SignedChunks): Message {
    const position = this.#messages.length;
    const message = create(MessageSchema, {
      role,
      chunks: chunks.map((data) => create(ChunkSchema, { data })),
      eventTime: toTimestamp(this.#clock.now()),
    });
    this.#messages.push(message);
    const signatures = signed && positionsOf(chunks, signed);
    if (signatures) this.signatures[position] = signatures;
    this.#history.append(message, { turn: this.turn, position, ...(signatures && { signatures }) });
    return message;
  }
}

function positionsOf(chunks: readonly ChunkInit[], signed: SignedChunks): Record<number, string> | undefined {
  if (signed.size === 0) return undefined;
  const signatures: Record<number, string> = {};
  for (const [position, chunk] of chunks.entries()) {
    const signature = signed.get(chunk);
    if (signature !== undefined) signatures[position] = signature;
  }
  return signatures;
}
