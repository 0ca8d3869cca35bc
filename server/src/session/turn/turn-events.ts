import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { type Clock, definedFields } from "#base";
import type { ModelPart } from "#models";
import type { TurnEvent } from "../contract.ts";
import type { ChunkInit, History, Signatures } from "../model-call/history.ts";
import type { Variables } from "../state/variables.ts";
import { toTimestamp } from "../trace.ts";
import { toResponsePart } from "./responses.ts";
import type { TurnState } from "./turn-state.ts";

/** Thought signatures by the chunk they belong to. */
export type SignedChunks = ReadonlyMap<ChunkInit, string>;

type OutputInit = NonNullable<MessageInitShape<typeof SessionOutputSchema>["outputType"]>;
type OutputEvent = Extract<TurnEvent, { kind: "output" }>;

interface TurnEventsDeps {
  readonly turnIndex: number;
  readonly state: Pick<TurnState, "agent" | "markOutput">;
  readonly variables: Pick<Variables, "takeDelta">;
  /** Gets each message as it is recorded. */
  readonly history: Pick<History, "append">;
  readonly clock: Clock;
}

/** Makes the events of a turn: messages, which are recorded, and outputs for the client. */
export class TurnEvents {
  readonly #turn: TurnEventsDeps;
  readonly #messages: Message[] = [];
  readonly #signatures: Record<number, Signatures[number]> = {};

  constructor(turn: TurnEventsDeps) {
    this.#turn = turn;
  }

  /** The recorded messages of the turn, in order. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get signatures(): Signatures {
    return this.#signatures;
  }

  /** Sends parts to the client and records them as the active agent's; function calls among them are left out. */
  *respond(parts: readonly ModelPart[]): Generator<TurnEvent, void> {
    for (const part of parts) yield* this.part(part);
    const chunks = parts.flatMap((part) => toResponsePart(part)?.chunk ?? []);
    yield* this.record(this.#turn.state.agent.displayName, chunks);
  }

  /** What the client gets of a part; nothing for calls and for what only the record keeps. */
  *part(part: ModelPart, alreadyStreamed = false): Generator<TurnEvent, void> {
    const { output, speech } = toResponsePart(part) ?? {};
    if (output) yield { ...this.output(output, alreadyStreamed), ...definedFields({ speech }) };
  }

  /** One output for the client. */
  output(outputType: OutputInit, alreadyStreamed = false): OutputEvent {
    const { state, turnIndex } = this.#turn;
    state.markOutput();
    return { kind: "output", output: create(SessionOutputSchema, { outputType, turnIndex }), alreadyStreamed };
  }

  /**
   * Records a message with the state delta since the last one (CONV-3): in front, but behind tool responses, which providers require right
   * after their calls, and behind the defaults that it changes. `role` is `user` or an agent's display name; `signed` are the thought
   * signatures of some of the chunks. Nothing for a message without chunks.
   */
  *record(role: string, chunks: readonly ChunkInit[], signed?: SignedChunks): Generator<TurnEvent, void> {
    const delta = this.#turn.variables.takeDelta();
    const all = delta ? withDelta(chunks, { case: "updatedVariables", value: delta }) : chunks;
    if (all.length > 0) yield { kind: "message", message: this.#add(role, all, signed) };
  }

  #add(role: string, chunks: readonly ChunkInit[], signed?: SignedChunks): Message {
    const position = this.#messages.length;
    const { turnIndex, history, clock } = this.#turn;
    const message = create(MessageSchema, {
      role,
      chunks: chunks.map((data) => create(ChunkSchema, { data })),
      eventTime: toTimestamp(clock.now()),
    });
    this.#messages.push(message);
    const signatures = signed && positionsOf(chunks, signed);
    if (signatures) this.#signatures[position] = signatures;
    history.append(message, { turn: turnIndex, position, ...definedFields({ signatures }) });
    return message;
  }
}

function withDelta(chunks: readonly ChunkInit[], delta: ChunkInit): readonly ChunkInit[] {
  const goesFirst = (chunk: ChunkInit) => chunk?.case === "toolResponse" || chunk?.case === "defaultVariables";
  return [...chunks.filter(goesFirst), delta, ...chunks.filter((chunk) => !goesFirst(chunk))];
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
