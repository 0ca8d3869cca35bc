import type { JsonObject } from "#base";
import type { FunctionDeclaration, ModelMessage, ModelRequest } from "#models";
import type { Instruction } from "./instruction.ts";

/** One thing that happened in a conversation; messages are lists of these. */
export type DialogueEvent =
  | { readonly kind: "user"; readonly text: string }
  | { readonly kind: "blob"; readonly mimeType: string }
  | { readonly kind: "agent"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly args: JsonObject }
  | { readonly kind: "response"; readonly name: string; readonly response: JsonObject };

/** The rest of a longer text is ignored: it changes no decision and must not cost time. */
const MAX_CHARACTERS = 8000;

/** The messages as a flat list of events, those of other agents too. State updates that the engine writes into the history are no events. */
export function eventsOf(messages: readonly ModelMessage[]): readonly DialogueEvent[] {
  return messages.flatMap((message) => message.parts.flatMap((part) => eventOf(message.role, part)));
}

function eventOf(role: ModelMessage["role"], part: ModelMessage["parts"][number]): readonly DialogueEvent[] {
  switch (part.kind) {
    case "text": {
      if (part.presents) return part.presents.flatMap((presented) => eventOf("model", presented));
      if (role === "model") return [{ kind: "agent", text: part.text }];
      const text = withoutPlatformMarkup(part.text.slice(0, MAX_CHARACTERS));
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

/** State updates and barge-in notes inform a large language model; they are not text of the user (TURN-34, TURN-15). */
function withoutPlatformMarkup(text: string): string {
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
interface Turn {
  /** The events before it, the agent's last text included. */
  readonly before: readonly DialogueEvent[];
  /** The user's text, all texts of the last message joined; "" when there is none. */
  readonly text: string;
  readonly blobs: readonly string[];
  /** Calls, responses and texts of the agent since then. */
  readonly since: readonly DialogueEvent[];
}

/** Splits the events at the last input of the user. */
function currentTurn(events: readonly DialogueEvent[]): Turn {
  const fromUser = (event: DialogueEvent) => event.kind === "user" || event.kind === "blob";
  const end = events.findLastIndex(fromUser) + 1;
  let start = end;
  for (let event = events[start - 1]; event !== undefined && fromUser(event); event = events[start - 1]) start -= 1;
  const input = events.slice(start, end);
  return {
    before: events.slice(0, start),
    text: input
      .flatMap((event) => (event.kind === "user" ? [event.text] : []))
      .join("\n")
      .slice(0, MAX_CHARACTERS),
    blobs: input.flatMap((event) => (event.kind === "blob" ? [event.mimeType] : [])),
    since: events.slice(end),
  };
}

/** The function responses that the agent has not described yet: those after its last call or text. */
export function openResponses(turn: Turn): readonly Extract<DialogueEvent, { kind: "response" }>[] {
  const start = turn.since.findLastIndex((event) => event.kind !== "response") + 1;
  return turn.since.slice(start).flatMap((event) => (event.kind === "response" ? [event] : []));
}

/** The function by which one agent transfers the conversation to another. */
export const TRANSFER = "transfer_to_agent";
/** The function that ends a session, also as an escalation to a person. */
export const END_SESSION = "end_session";

/** The dialogue state: all inputs of a decision, parsed once from the request. */
export interface DialogueState {
  readonly request: ModelRequest;
  readonly instruction: Instruction;
  readonly events: readonly DialogueEvent[];
  readonly turn: Turn;
  readonly state: JsonObject;
}

/** Reads a request. `instruction` is that of its agent, from the dialogue context or the system prompt. */
export function readDialogueState(request: ModelRequest, instruction: Instruction): DialogueState {
  const events = eventsOf(request.messages);
  return { request, instruction, events, turn: currentTurn(events), state: request.dialogueContext?.state ?? {} };
}

/** The names of the functions called since the user's last input. */
export function calledFunctions({ turn }: DialogueState): ReadonlySet<string> {
  return new Set(turn.since.flatMap((event) => (event.kind === "call" ? [event.name] : [])));
}

/** Whether the same call was made since the user's last input: repeating it would change nothing. */
export function isRepeated({ turn }: DialogueState, name: string, args: JsonObject): boolean {
  return turn.since.some(
    (event) => event.kind === "call" && event.name === name && JSON.stringify(event.args) === JSON.stringify(args),
  );
}

/** Whether a transfer to an agent is possible: it is a target, is not the active agent, and was not transferred to in this turn. */
export function canTransfer({ request, turn }: DialogueState, agent: string): boolean {
  const offered = (request.dialogueContext?.transferTargets ?? []).some(({ name }) => name === agent);
  const visited = turn.since.some(
    (event) =>
      event.kind === "call" && event.name === TRANSFER && (event.args.agent_name ?? event.args.agent) === agent,
  );
  return offered && !visited && agent !== request.dialogueContext?.agentName;
}

/** The declaration of a function by name, or undefined when the model may not call it. */
export function declarationOf(request: ModelRequest, name: string): FunctionDeclaration | undefined {
  return request.tools.find((tool) => tool.name === name);
}

/** Whether a function takes an argument of this name. */
export function takes(declaration: FunctionDeclaration, parameter: string): boolean {
  return parameter in ((declaration.parameters.properties as JsonObject | undefined) ?? {});
}
