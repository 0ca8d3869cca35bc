import { definedFields } from "#base";

/** A wire that calls are served on. */
export type CallSurface = "rest" | "grpc" | "grpc-web" | "connect";

export const CALL_SURFACES: readonly CallSurface[] = ["rest", "grpc", "grpc-web", "connect"];

/** A wire that conversations are held on. */
export type LiveSurface = "grpc-bidi" | "websocket";

export const LIVE_SURFACES: readonly LiveSurface[] = ["grpc-bidi", "websocket"];

/** A wire, and a way over it, that takes one turn. */
export type TurnSurface = "rest" | "rest-stream" | "grpc" | "grpc-stream" | LiveSurface;

export const TURN_SURFACES: readonly TurnSurface[] = [
  "rest",
  "rest-stream",
  "grpc",
  "grpc-stream",
  "grpc-bidi",
  "websocket",
];

type Surface = CallSurface | LiveSurface | TurnSurface;

/** A behaviour that the server promises: one sentence, where the promise comes from, and where it does not apply. */
export interface Requirement {
  readonly sentence: string;
  /** Rules of docs/spec by id, AIP numbers, or proto comments. */
  readonly source: string;
  /** Surfaces that have no such thing, each with the reason. */
  readonly except?: Partial<Readonly<Record<Surface, string>>>;
  /** Not served yet, and why: the test runs as must-fail, so that serving it fails the run until this line is removed. */
  readonly deferred?: string;
}

/** Streams, on which a response that nobody waits for is no error: it would end a conversation (TOOL-14). */
export const LEFT_OUT_ON_STREAMS: Requirement["except"] = {
  "grpc-bidi": "left out there: an error would end the conversation",
  websocket: "left out there: an error would end the conversation",
};

/** A requirement that rules of docs/spec give, by their ids. */
export function row(source: string, sentence: string, except?: Requirement["except"]): Requirement {
  return { sentence, source, ...definedFields({ except }) };
}
