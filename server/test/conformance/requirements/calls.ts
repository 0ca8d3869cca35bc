import { type Requirement, row, type TurnSurface } from "./requirement.ts";

/** There the outcome starts a turn of its own (live-sessions.test.ts). */
const TOLD_UNASKED: Partial<Record<TurnSurface, string>> = {
  "grpc-bidi": "an open conversation is told unasked",
  websocket: "an open conversation is told unasked",
};

/** What calls of tools do in a turn, on every wire that takes one. */
export const CALLS = {
  "turn-tool": row("2.2.2", "Words before a call are said, the call is made, and the model goes on with its result"),
  "turn-tools-parallel": row(
    "2.3, 13",
    "Parallel calls start from the same variables; separate keys survive, one key keeps the last",
  ),
  "turn-tools-sequential": row("2.3", "Sequential calls see what the ones before them wrote"),
  "turn-tool-failure": row("13", "A tool that fails answers the error envelope and the turn goes on"),
  "turn-tool-nested": row("13", "Tools that a tool calls resolve against the app and leave no trace in the transcript"),
  "turn-tool-callbacks": row("1.7", "before_tool may edit the arguments and after_tool may replace the result"),
  "turn-client-function": row(
    "2.10",
    "A client function is handed out, and the model goes on with the client's response",
  ),
  "turn-client-function-mixed": row(
    "2.10",
    "Beside a client function the server's tools run, and the model gets all results",
  ),
  "turn-client-function-wrong-id": row(
    "2.10",
    "A response with a wrong or a used id is refused and the session stays as it was",
  ),
  "turn-client-function-left": row("2.10", "A user who goes on instead leaves the call failed"),
  "turn-fake": row("2.14", "A fake answers when session and tool ask for it, and None falls through to the tool"),
  "turn-asynchronous": row("2.4, 13", "An asynchronous tool answers pending at once"),
  "turn-asynchronous-late": row(
    "13",
    "The outcome of an asynchronous tool comes with a later turn, as words of the user in their context",
    TOLD_UNASKED,
  ),
  "turn-toolset": row(
    "4.1",
    "A toolset offers the operations that the agent names, as its display name and theirs, and can be faked",
  ),
  "turn-tool-unlisted": row("13", "A call to a tool that the agent does not list is not made, and the model hears so"),
  "turn-tool-missing": row("13", "A call without a required argument answers the error envelope"),
  "turn-tool-time-out": row("13", "A Python tool that takes longer than its time-out has failed, and the turn goes on"),
  "turn-tool-context": row("3.3, 4.3", "Arguments that the session fills in are neither offered nor recorded"),
  "turn-client-function-part": row("2.10", "While part of the results is missing, the client is asked for it again"),
  "turn-asynchronous-agent": row("13", "An agent as an asynchronous tool answers pending under the name response"),
  "turn-asynchronous-fake": row("13", "A fake that is honoured answers at once in an asynchronous tool's place"),
} as const satisfies Readonly<Record<string, Requirement>>;
