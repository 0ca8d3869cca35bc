import type { JsonObject } from "#base";
import { canTransfer, type DialogueState, TRANSFER } from "./dialogue-state.ts";

/** A function call that the policy decided on. */
export interface ActionCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** The next action of the built-in model: text, calls, or both, text first. */
export interface Action {
  /** Which rule decided, e.g. `case:where-is-my-order`, `tool:look_up_order`, `telling`; shown in traces as the raw finish reason. */
  readonly reason: string;
  /** "" for silence. */
  readonly text: string;
  readonly calls: readonly ActionCall[];
}

/** An action of text only. */
export function respond(reason: string, text: string): Action {
  return { reason, text, calls: [] };
}

/** An action of one call, after a text if there is one. */
export function callFunction(reason: string, name: string, args: JsonObject, text = ""): Action {
  return { reason, text, calls: [{ name, args }] };
}

/** Transfers the conversation to an agent. */
export function transfer(agent: string): Action {
  return callFunction(`transfer:${agent}`, TRANSFER, { agent_name: agent });
}

/** The transfer that the instruction names for requests out of scope, where it is possible. */
export function fallbackTransfer(dialogue: DialogueState): Action | undefined {
  const agents = dialogue.instruction.rules.flatMap((rule) => (rule.occasion === "otherwise" ? rule.agents : []));
  const agent = agents.find((name) => canTransfer(dialogue, name));
  return agent === undefined ? undefined : transfer(agent);
}
