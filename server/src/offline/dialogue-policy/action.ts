import type { JsonObject } from "#base";

/** A function call that the policy decided on. */
export interface ActionCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** What the built-in model does next: words, calls, or both, words first. */
export interface Action {
  /** Which rule decided, e.g. `case:where-is-my-order`, `tool:look_up_order`, `telling`; shown in traces as the raw finish reason. */
  readonly reason: string;
  /** "" for silence. */
  readonly text: string;
  readonly calls: readonly ActionCall[];
}

/** An action of words only. */
export function say(reason: string, text: string): Action {
  return { reason, text, calls: [] };
}

/** An action of one call, with words before it where there are any. */
export function call(reason: string, name: string, args: JsonObject, text = ""): Action {
  return { reason, text, calls: [{ name, args }] };
}
