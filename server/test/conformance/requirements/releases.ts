import { type Requirement, row, type TurnSurface } from "./requirement.ts";

const ONE_CALL: Partial<Record<TurnSurface, string>> = {
  rest: "a call is one turn",
  "rest-stream": "a call is one turn",
  grpc: "a call is one turn",
  "grpc-stream": "a call is one turn",
};

/** Which version of an app a session runs, and on which channel. */
export const RELEASES = {
  "release-split": row(
    "SESS-4, SESS-3",
    "A running split divides new sessions by its percentages, and a session keeps its version",
  ),
  "release-split-wires": row("SESS-4", "A session keeps its version of a split over all protocols"),
  "release-draft": row("SESS-3", "Without a deployment, or with one that names no version, a session runs the draft"),
  "release-change": row("TURN-5", "A change of the draft takes effect at the next turn of a session"),
  "release-change-stream": row(
    "TURN-5",
    "A change of the draft takes effect at the next turn of an open stream",
    ONE_CALL,
  ),
  "release-pinned-stream": row("SESS-3", "An open stream stays on the version that it began with", ONE_CALL),
  "release-record": row("CONV-4", "The conversation names its deployment and version"),
  "release-persona": row("TURN-40", "The agent is instructed with the persona of the channel"),
  "release-channel": row("TURN-35", "Conditions of instructions know the channel of the deployment"),
  "release-dtmf": row("TURN-40", "A channel that disables DTMF ignores keys, and the trace warns of it"),
  "release-wrong": row("SESS-14", "An unknown deployment is NOT_FOUND, one of another app INVALID_ARGUMENT"),
} as const satisfies Readonly<Record<string, Requirement>>;
