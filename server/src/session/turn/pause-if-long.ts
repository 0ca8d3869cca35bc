import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, yieldToEventLoop } from "#base";

/** Characters of a turn's input that take some milliseconds in each part of the turn. */
const LONG_INPUT = 256 * 1024;

/** Lets other calls run between two parts of a turn whose input is long (TURN-63); other turns do not wait. */
export async function pauseIfLong(inputs: readonly SessionInput[]): Promise<void> {
  let length = 0;
  for (const { inputType } of inputs) length += lengthOf(inputType);
  if (length > LONG_INPUT) await yieldToEventLoop();
}

function lengthOf(input: SessionInput["inputType"]): number {
  switch (input.case) {
    case "text":
      return input.value.length;
    case "image":
    case "blob":
      return input.value.data.length;
    case "variables":
      return isJsonObject(input.value) ? lengthOfTexts(Object.values(input.value)) : 0;
    case "toolResponses":
      return lengthOfTexts(input.value.toolResponses.flatMap(({ response }) => Object.values(response ?? {})));
    default:
      return 0;
  }
}

function lengthOfTexts(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);
}
