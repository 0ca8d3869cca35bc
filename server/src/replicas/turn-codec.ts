import { create, type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { SpanSchema } from "@frontdesk/protos/ces/common";
import { MessageSchema } from "@frontdesk/protos/ces/example";
import { RunSessionRequestSchema, SessionOutputSchema } from "@frontdesk/protos/ces/session_service";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import type { TurnEvent } from "#session";
import { fromRpcStatus, internal, toRpcStatus, toStatusError } from "#status";
import type { ForwardedTurn } from "./contract.ts";

/** What a server says that runs another one's turn: a line of JSON each. `begin` comes first, and asks whether it may. An answer without `end` and `error` was cut off. */
export type TurnLine =
  | { readonly begin: true }
  | { readonly event: EncodedEvent }
  | { readonly error: string }
  | { readonly end: true };

/** Messages of the API are base64 of their binary form: it has every field, also those that a server of another release does not know. */
type EncodedEvent =
  | Exclude<TurnEvent, { kind: "output" | "message" | "turn-completed" }>
  | (Omit<TurnEventOf<"output">, "output"> & { readonly output: string })
  | (Omit<TurnEventOf<"message">, "message"> & { readonly message: string })
  | (Omit<TurnEventOf<"turn-completed">, "messages" | "rootSpan"> & {
      readonly messages: readonly string[];
      readonly rootSpan: string;
    });

type TurnEventOf<Kind extends TurnEvent["kind"]> = Extract<TurnEvent, { kind: Kind }>;

/** What the server says whose turn it is: the turn, and that it may begin. */
export type RequestLine = { readonly turn: EncodedTurn } | { readonly go: true };

type EncodedTurn = Omit<ForwardedTurn, "config" | "inputs"> & { readonly request: string };

/** A turn as the first line to the server that runs it. */
export function encodeTurn({ config, inputs, ...turn }: ForwardedTurn): RequestLine {
  const request = create(RunSessionRequestSchema, { config, inputs: [...inputs] });
  return { turn: { ...turn, request: encode(RunSessionRequestSchema, request) } };
}

/** The turn of a line. */
export function decodeTurn({ request, ...turn }: EncodedTurn): ForwardedTurn {
  const { config, inputs } = decode(RunSessionRequestSchema, request);
  if (!config) throw internal(new Error("a turn came from another server without its config"));
  return { ...turn, config, inputs };
}

/** An event of a turn as a line. Messages of the API travel in their binary form, which keeps all that they have. */
export function encodeEvent(event: TurnEvent): TurnLine {
  switch (event.kind) {
    case "output":
      return { event: { ...event, output: encode(SessionOutputSchema, event.output) } };
    case "message":
      return { event: { ...event, message: encode(MessageSchema, event.message) } };
    case "turn-completed": {
      const messages = event.messages.map((message) => encode(MessageSchema, message));
      return { event: { ...event, messages, rootSpan: encode(SpanSchema, event.rootSpan) } };
    }
    default:
      return { event };
  }
}

/** The event of a line. */
export function decodeEvent(event: EncodedEvent): TurnEvent {
  switch (event.kind) {
    case "output":
      return { ...event, output: decode(SessionOutputSchema, event.output) };
    case "message":
      return { ...event, message: decode(MessageSchema, event.message) };
    case "turn-completed": {
      const messages = event.messages.map((message) => decode(MessageSchema, message));
      return { ...event, messages, rootSpan: decode(SpanSchema, event.rootSpan) };
    }
    default:
      return event;
  }
}

/** An error that ends a turn as a line: its status, with details. */
export function encodeError(error: unknown): TurnLine {
  return { error: encode(StatusSchema, toRpcStatus(toStatusError(error))) };
}

/** The error of a line. */
export function decodeError(text: string): Error {
  return fromRpcStatus(decode(StatusSchema, text));
}

function encode<Desc extends DescMessage>(type: Desc, message: MessageShape<Desc>): string {
  return Buffer.from(toBinary(type, message)).toString("base64");
}

/** What was stored must be read again, however deep clients nested it. */
function decode<Desc extends DescMessage>(type: Desc, text: string): MessageShape<Desc> {
  return fromBinary(type, Buffer.from(text, "base64"), { recursionLimit: 1_000 });
}
