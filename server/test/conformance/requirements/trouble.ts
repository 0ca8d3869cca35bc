import { LEFT_OUT_ON_STREAMS, type Requirement, row, type TurnSurface } from "./requirement.ts";

/** Encodings that cannot say it. */
const NO_JSON: Partial<Record<TurnSurface, string>> = {
  grpc: "its texts are UTF-8 by definition",
  "grpc-stream": "its texts are UTF-8 by definition",
  "grpc-bidi": "its texts are UTF-8 by definition",
};

const ONE_INPUT: Partial<Record<TurnSurface, string>> = {
  "grpc-bidi": "an input a message: what came before is a turn by then",
  websocket: "an input a message: what came before is a turn by then",
};

/** What bad input and bad times get: a status, a session that is as it was, and nobody else disturbed. */
export const TROUBLE = {
  "trouble-two-turns": row("TURN-4", "Two turns of a session at once are answered one after the other, each whole"),
  "trouble-others": row("TURN-4", "While one session's model takes its time, others are answered"),
  "trouble-unasked": row(
    "TOOL-14",
    "A response that nobody asked for is rejected by its id, and no turn is started",
    LEFT_OUT_ON_STREAMS,
  ),
  "trouble-whole": row("TURN-11", "Inputs are rejected together: the valid ones among them change nothing", ONE_INPUT),
  "trouble-kinds": row(
    "TURN-11, TURN-16",
    "What is no key, no picture and no name is INVALID_ARGUMENT that names the input",
  ),
  "trouble-nothing": row("TURN-11", "A turn of no inputs is INVALID_ARGUMENT", ONE_INPUT),
  "trouble-halves": row(
    "WIRE-8",
    "Half characters are INVALID_ARGUMENT; control characters are taken and stored",
    NO_JSON,
  ),
  "trouble-deep": row("TURN-18", "Variables nested as deep as JSON allows are stored and read again"),
  "trouble-gone": row("SESS-2", "A conversation that was deleted during a session starts again"),
  "trouble-agent-gone": row("TURN-6", "When the active agent of a session is deleted, the root agent answers"),
} as const satisfies Readonly<Record<string, Requirement>>;
