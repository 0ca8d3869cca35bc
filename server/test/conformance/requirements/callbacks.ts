import { type Requirement, row } from "./requirement.ts";

/** What callbacks do in a turn, on every wire that takes one. */
export const CALLBACKS = {
  "turn-welcome": row(
    "2.2.4",
    "The welcome event reaches callbacks as session start, and what they return is said without a model",
  ),
  "turn-prefix": row("2.2.5", "A partial response is said first, then the model answers"),
  "turn-before-agent": row("1.7", "Content of before_agent takes the agent's place"),
  "turn-after-agent": row("1.7", "Content of after_agent is added to the answer"),
  "turn-edited-request": row("1.7", "before_model may change the instruction and hide tools"),
  "turn-farewell": row("2.9", "after_model may put words before the end of the session"),
  "turn-payload": row("1.7", "A custom payload reaches the client and not the model"),
  "turn-callback-order": row(
    "1.7, 1.8",
    "Callbacks run in order, disabled ones not, and one that raises counts as not run",
  ),
  "turn-callback-call": row("1.7", "A function call of before_model is made, and the model goes on with its result"),
  "turn-callback-transfer": row("1.7", "Words and a transfer of a callback are said and done, without a model"),
  "turn-callback-tool": row("1.7", "A dict of before_tool is the result, and the tool does not run"),
  "turn-callback-inserted": row("1.7", "A call that a callback puts before the end of the session is made first"),
  "turn-callback-agents": row("1.6", "Callbacks belong to one agent: those of the root do not run for another"),
  "turn-callback-passes": row("1.6", "Callbacks around the model run with every pass of the turn"),
  "turn-callback-context": row("1.3", "Callbacks see who they are: agent, session, app, turn"),
  "turn-callback-names": row(
    "1.1, 13.1",
    "Code finds names of typing, and the platform's classes under their prefixes too",
  ),
  "turn-callback-content": row("1.7", "A Content from a model callback stands for the response that it means"),
} as const satisfies Readonly<Record<string, Requirement>>;
