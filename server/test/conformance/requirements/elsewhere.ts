import { type Requirement, row } from "./requirement.ts";

/** What turns do with agents that run elsewhere: over A2A, and in Dialogflow. */
export const ELSEWHERE = {
  "elsewhere-agent": row(
    "TOOL-26",
    "A remote agent is a function of one request, and its answer the function's response",
  ),
  "elsewhere-agent-context": row("TOOL-26", "A session continues in the remote agent's context from call to call"),
  "elsewhere-agent-failure": row(
    "TOOL-4",
    "A remote agent that fails answers the error envelope and the turn continues",
  ),
  "elsewhere-flow": row(
    "TOOL-27",
    "A flow gets every word of the user until it ends, then its parent continues in the same turn",
  ),
  "elsewhere-flow-variables": row(
    "TOOL-28",
    "Variables go to the flow by their mapping, undeclared ones too, and come back when it ends",
  ),
  "elsewhere-flow-inputs": row("TOOL-28", "A flow gets events and keys as what they are"),
  "elsewhere-flow-query": row(
    "TOOL-28",
    "A flow is asked with the session's query parameters and in the language of its variable",
  ),
  "elsewhere-flow-fields": row("TOOL-27", "An agent with a flow has no model, callbacks or tools of its own"),
  "elsewhere-flow-failure": row(
    "TURN-29",
    "A flow that fails is an error for the client, and nothing of the turn is stored",
  ),
} as const satisfies Readonly<Record<string, Requirement>>;
