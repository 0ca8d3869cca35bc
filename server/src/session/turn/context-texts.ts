import { hasSpelling, type JsonObject, writeJson } from "#base";

/** Texts that the channel gives the model in place of the user's (TURN-13, TURN-14, TURN-15, TOOL-18), as hosted agents get them where that is known. */

/** Keys that the user pressed. */
export function keypadText(digits: string): string {
  return inContext(`user pressed ${digits} on keypad.`);
}

/** No input of the user for a while. */
export function silenceText(seconds: number): string {
  return inContext(`no user activity detected for ${seconds} seconds.`);
}

/** The user spoke while the agent did; `heard` is the part of the answer that had been played by then. */
export function interruptionText(heard: string): string {
  return inContext(`agent speaking was interrupted. user only heard '${heard}' in the last agent response.`);
}

/** The user spoke, and the speech could not be recognized. */
export function unrecognizedSpeechText(): string {
  return inContext("user spoke, but the speech could not be recognized.");
}

/** An asynchronous tool has answered, or failed. */
export function lateResultText(tool: string, failed: boolean, response: JsonObject): string {
  const outcome = failed ? "failed with error" : "completed with response";
  // A number that JavaScript cannot hold is written as it came (PY-42); nothing else writes it indented.
  const text = hasSpelling(response) ? writeJson(response) : JSON.stringify(response, null, 2);
  return inContext(`function [${tool}] ${outcome} ${text}`);
}

/** A guardrail answered what the user said. */
export function blockedInputText(): string {
  return inContext("a guardrail blocked the message of the user.");
}

function inContext(text: string): string {
  return `<context>${text}</context>`;
}
