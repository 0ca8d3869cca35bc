import { LEFT_OUT_ON_STREAMS, type Requirement, row, type TurnSurface } from "./requirement.ts";

/** There the outcome starts a turn of its own (live-sessions.test.ts). */
const REPORTED_UNASKED: Partial<Record<TurnSurface, string>> = {
  "grpc-bidi": "a live session reports the outcome without being asked",
  websocket: "a live session reports the outcome without being asked",
};

/** What calls of tools do in a turn, on every wire that takes one. */
export const CALLS = {
  "turn-tool": row(
    "TURN-7, TURN-2",
    "Text before a call is delivered, the call is made, and the model continues with its result",
  ),
  "turn-tools-parallel": row(
    "TOOL-5",
    "Parallel calls start from the same variables; separate keys survive, one key keeps the last",
  ),
  "turn-tools-sequential": row("TOOL-5", "Sequential calls see what the ones before them wrote"),
  "turn-tool-failure": row("TOOL-4", "A tool that fails answers the error envelope and the turn continues"),
  "turn-tool-nested": row(
    "PY-24",
    "Tools that a tool calls resolve against the app and leave no trace in the transcript",
  ),
  "turn-tool-callbacks": row("CB-15", "before_tool may edit the arguments and after_tool may replace the result"),
  "turn-client-function": row(
    "TOOL-12",
    "A client function is sent to the client, and the model continues with the client's response",
  ),
  "turn-client-function-mixed": row(
    "TOOL-13",
    "Beside a client function the server's tools run, and the model gets all results",
  ),
  "turn-client-function-wrong-id": row(
    "TOOL-14",
    "A response with a wrong or a used id is rejected and the session stays as it was",
    LEFT_OUT_ON_STREAMS,
  ),
  "turn-client-function-left": row(
    "TOOL-13",
    "A call is failed when the user sends other input instead of its response",
  ),
  "turn-fake": row(
    "TOOL-20, CB-18",
    "A fake answers when session and tool ask for it, and None falls through to the tool",
  ),
  "turn-asynchronous": row("TOOL-17", "An asynchronous tool answers pending at once"),
  "turn-asynchronous-late": row(
    "TOOL-18",
    "The outcome of an asynchronous tool reaches the model with a later turn, as user text in a context tag",
    REPORTED_UNASKED,
  ),
  "turn-toolset": row(
    "TSET-1, TSET-2",
    "A toolset offers the operations that the agent names, as its display name and theirs, and can be faked",
  ),
  "turn-tool-unlisted": row(
    "TOOL-1",
    "A call to a tool that the agent does not list is not made, and the model gets an error",
  ),
  "turn-tool-missing": row("PY-31", "A call without a required argument answers the error envelope"),
  "turn-tool-time-out": row(
    "PY-31, TOOL-6",
    "A Python tool that takes longer than its time-out has failed, and the turn continues",
  ),
  "turn-tool-context": row("TOOL-35, TOOL-36", "Arguments that the session fills in are neither offered nor recorded"),
  "turn-client-function-part": row("TOOL-13", "While part of the results is missing, the client is asked for it again"),
  "turn-asynchronous-agent": row("TOOL-17", "An agent as an asynchronous tool answers pending under the name response"),
  "turn-asynchronous-fake": row("TOOL-17", "A fake that is honoured answers at once in an asynchronous tool's place"),
} as const satisfies Readonly<Record<string, Requirement>>;
