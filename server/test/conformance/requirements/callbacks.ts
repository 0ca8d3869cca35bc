import { type Requirement, row } from "./requirement.ts";

/** What callbacks do in a turn, on every wire that takes one. */
export const CALLBACKS = {
  "turn-welcome": row(
    "TURN-12, CB-11",
    "The welcome event reaches callbacks as session start, and what they return is the answer, without a model call",
  ),
  "turn-prefix": row("CB-12", "A partial response is sent first, then the model answers"),
  "turn-before-agent": row("CB-9", "Content of before_agent takes the agent's place"),
  "turn-after-agent": row("CB-10", "Content of after_agent is added to the answer"),
  "turn-edited-request": row("CB-13", "before_model may change the instruction and hide tools"),
  "turn-farewell": row("CB-14, TOOL-9", "after_model may add text before the end of the session"),
  "turn-payload": row("CB-16", "A custom payload reaches the client and not the model"),
  "turn-callback-order": row(
    "CB-4, CB-7",
    "Callbacks run in order, disabled ones not, and one that raises counts as not run",
  ),
  "turn-callback-call": row(
    "CB-11",
    "A function call of before_model is made, and the model continues with its result",
  ),
  "turn-callback-transfer": row(
    "CB-11",
    "Text and a transfer that a callback returns take effect, without a model call",
  ),
  "turn-callback-tool": row("CB-15", "A dict of before_tool is the result, and the tool does not run"),
  "turn-callback-inserted": row(
    "TURN-7, CB-14",
    "A call that a callback puts before the end of the session is made first",
  ),
  "turn-callback-agents": row("CB-4", "Callbacks belong to one agent: those of the root do not run for another"),
  "turn-callback-passes": row("CB-5", "Callbacks around the model run with every step of the turn"),
  "turn-callback-context": row("PY-18", "Callbacks see who they are: agent, session, app, turn"),
  "turn-callback-names": row(
    "PY-7, PY-6",
    "Code finds names of typing, and the platform's classes under their prefixes too",
  ),
  "turn-callback-content": row("CB-8", "A Content from a model callback is used as the model response"),
} as const satisfies Readonly<Record<string, Requirement>>;
