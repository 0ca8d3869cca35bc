import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { yieldToEventLoop } from "#base";

/** Characters of a turn's input that take some milliseconds in each part of the turn. */
const LONG_INPUT = 256 * 1024;

/** Lets other calls run between two parts of a turn whose input is long (TURN-63); other turns do not wait. */
export function pauseIfLong(inputs: readonly SessionInput[]): Promise<void> | undefined {
  let length = 0;
  for (const { inputType } of inputs) length += lengthOf(inputType);
  return length > LONG_INPUT ? yieldToEventLoop() : undefined;
}

function lengthOf(input: SessionInput["inputType"]): number {
  switch (input.case) {
    case "text":
      return input.value.length;
    case "image":
    case "blob":
      return input.value.data.length;
    case "variables":
      return lengthOfTexts(input.value, LONG_INPUT);
    case "event":
      return lengthOfTexts(input.value.variables, LONG_INPUT);
    case "toolResponses":
      return lengthOfTexts(
        input.value.toolResponses.map(({ response }) => response),
        LONG_INPUT,
      );
    default:
      return 0;
  }
}

/** Characters of the keys and texts in a value, and one for each other value; not much more than `most` is counted. */
function lengthOfTexts(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 0;
  for (const [key, item] of Object.entries(value)) {
    length += key.length + lengthOfTexts(item, most - length);
    if (length > most) break;
  }
  return length;
}
