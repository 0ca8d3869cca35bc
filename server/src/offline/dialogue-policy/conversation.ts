import type { JsonObject } from "#base";
import type { ModelMessage } from "#models";

/** One thing that happened in a conversation; messages are lists of these. */
export type Step =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "blob"; readonly mimeType: string }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly args: JsonObject }
  | { readonly kind: "response"; readonly name: string; readonly response: JsonObject };

/** As much of one text is read; what somebody pastes beyond that changes no decision and must not cost time. */
const READ_CHARACTERS = 8000;

/** The messages as a flat list of steps. What the engine writes into the history about state is no step. */
export function stepsOf(messages: readonly ModelMessage[]): readonly Step[] {
  return messages.flatMap((message) => message.parts.flatMap((part) => stepOf(message.role, part)));
}

function stepOf(role: ModelMessage["role"], part: ModelMessage["parts"][number]): readonly Step[] {
  switch (part.kind) {
    case "text": {
      if (role === "model") return [{ kind: "say", text: part.text }];
      const text = withoutRemarks(part.text.slice(0, READ_CHARACTERS));
      return text === "" ? [] : [{ kind: "user", text }];
    }
    case "blob":
      return role === "user" ? [{ kind: "blob", mimeType: part.mimeType }] : [];
    case "function-call":
      return [{ kind: "call", name: part.name, args: part.args }];
    case "function-response":
      return [{ kind: "response", name: part.name, response: part.response }];
  }
}

/** State updates and barge-in notes tell a large model about the world; they are not what the user said (TURN-34, TURN-15). */
function withoutRemarks(text: string): string {
  if (!text.includes("<")) return text.trim();
  return text
    .replace(/<state_update>[\s\S]*?<\/state_update>/g, "")
    .replace(/<context>agent speaking was interrupted[\s\S]*?<\/context>/g, "")
    .replace(/<context>user pressed (\S+) on keypad\.<\/context>/g, "$1")
    .replace(/<event>\s*welcome\s*<\/event>/gi, SESSION_START)
    .trim();
}

/** The text of the user's message with which a session opens (TURN-12); the event `welcome` means the same. */
export const SESSION_START = "<event>session start</event>";

/** The turn that is being answered. */
export interface Turn {
  /** What came before, the agent's last words included. */
  readonly before: readonly Step[];
  /** The user's words, all texts of the last message joined; "" when there are none. */
  readonly text: string;
  readonly blobs: readonly string[];
  /** Calls, responses and words since then. */
  readonly since: readonly Step[];
}

/** Splits the steps at the last thing that the user said. */
export function currentTurn(steps: readonly Step[]): Turn {
  const fromUser = (step: Step) => step.kind === "user" || step.kind === "blob";
  const end = steps.findLastIndex(fromUser) + 1;
  let start = end;
  for (let step = steps[start - 1]; step !== undefined && fromUser(step); step = steps[start - 1]) start -= 1;
  const said = steps.slice(start, end);
  return {
    before: steps.slice(0, start),
    text: said.flatMap((step) => (step.kind === "user" ? [step.text] : [])).join("\n"),
    blobs: said.flatMap((step) => (step.kind === "blob" ? [step.mimeType] : [])),
    since: steps.slice(end),
  };
}

/** The function responses that wait to be told: those after the last call or words of the model. */
export function openResponses(turn: Turn): readonly Extract<Step, { kind: "response" }>[] {
  const start = turn.since.findLastIndex((step) => step.kind !== "response") + 1;
  return turn.since.slice(start).flatMap((step) => (step.kind === "response" ? [step] : []));
}

/** The function through which one agent hands the conversation to another. */
export const TRANSFER = "transfer_to_agent";
/** The function that ends a session; also the door to a person. */
export const END_SESSION = "end_session";
