import type { JsonObject } from "#base";
import type { ClientCall, ToolCall, ToolDeclaration, ToolOutcome } from "#tools";
import { framesOf, outputOf } from "../callbacks/python-trace.ts";
import type { ChunkInit } from "../turn/recorder.ts";
import type { TurnRun } from "../turn/turn-context.ts";
import { toolIdentifier } from "./tool-identifier.ts";

/** A call that was made. Without a response it waits for the client. */
export interface FinishedCall {
  readonly call: ToolCall;
  readonly declaration: ToolDeclaration | undefined;
  readonly response: JsonObject | undefined;
  /** A custom output that the client gets before the call. */
  readonly payload?: JsonObject;
}

/** What a call came to: an answer, or something for the client to answer. */
export type Answer = { readonly response: JsonObject } | { readonly handed: ClientCall };

/** How the answer of a call is recorded. */
export function responseChunk(
  { id, name }: Pick<ToolCall, "id" | "name">,
  declaration: Pick<ToolDeclaration, "tool"> | undefined,
  response: JsonObject,
): ChunkInit {
  return { case: "toolResponse", value: { id, displayName: name, response, ...toolIdentifier(declaration) } };
}

/** What the trace tells of every call of a tool. Attribute names are those that official tooling reads (CONV-9). */
export function spanOf(turn: TurnRun, { name, args }: ToolCall, response: JsonObject): JsonObject {
  return { name, agent: turn.agent.displayName, args, response };
}

/** What the trace tells of a run beside its answer. */
export function recordOf(outcome: ToolOutcome): JsonObject {
  return {
    ...(outcome.faked && { fake: true }),
    ...outputOf(outcome),
    ...outcome.trace,
    ...(outcome.kind === "failed" && { error: outcome.error, ...framesOf(outcome.frames) }),
  };
}
