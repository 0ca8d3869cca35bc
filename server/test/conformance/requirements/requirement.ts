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

export type Surface = CallSurface | LiveSurface | TurnSurface;

/** A behaviour that the server promises: one sentence, where the promise comes from, and where it does not apply. */
export interface Requirement {
  readonly sentence: string;
  /** AIP number, proto comment or section of the hosted product's documentation. */
  readonly source: string;
  /** Surfaces that have no such thing, each with the reason. */
  readonly except?: Partial<Readonly<Record<Surface, string>>>;
  /** Not served yet, and why: the test runs as must-fail, so that serving it turns the list red until this line goes. */
  readonly deferred?: string;
}

/** A requirement that a section of the hosted product's behaviour gives, by its number in ces-runtime. */
export function row(section: string, sentence: string, except?: Requirement["except"]): Requirement {
  return { sentence, source: `ces-runtime ${section}`, ...(except && { except }) };
}
