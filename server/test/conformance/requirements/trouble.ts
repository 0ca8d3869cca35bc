import { type Requirement, row, type TurnSurface } from "./requirement.ts";

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
  "trouble-two-turns": row("2.1", "Two turns of a session at once are answered one after the other, each whole"),
  "trouble-others": row("2.1", "While one session's model takes its time, others are answered"),
  "trouble-unasked": row("2.10", "A response that nobody asked for is refused by its id, and no turn is begun"),
  "trouble-whole": row("2.11", "Inputs are refused whole: what is right among them changes nothing", ONE_INPUT),
  "trouble-kinds": row("2.11", "What is no key, no picture and no name is INVALID_ARGUMENT that names the input"),
  "trouble-nothing": row("7.2", "A turn of no inputs is INVALID_ARGUMENT", ONE_INPUT),
  "trouble-halves": row(
    "7.4",
    "Half characters are INVALID_ARGUMENT; control characters are taken and stored",
    NO_JSON,
  ),
  "trouble-deep": row("2.11", "Variables as deep as JSON goes are stored and read again"),
  "trouble-gone": row("7.4", "A conversation that was deleted during a session begins anew"),
  "trouble-agent-gone": row("2.5", "When the agent that holds a session is deleted, the root answers"),
} as const satisfies Readonly<Record<string, Requirement>>;
