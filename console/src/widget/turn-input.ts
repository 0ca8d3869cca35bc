import type { JsonObject } from "./rich-content.ts";
import { randomId } from "./stored-session.ts";

/** What is sent in one turn. Files are read when it is. */
export interface TurnInput {
  /** With it the turn runs once, however often it is sent. */
  readonly key: string;
  readonly input: JsonObject;
  readonly files: readonly File[];
}

/** A turn with a key of its own. */
export function newTurn(input: JsonObject, files: readonly File[] = []): TurnInput {
  return { key: randomId(), input, files };
}

/** Whether somebody waits for an answer: the person has said something. */
export function isAwaited({ input, files }: TurnInput): boolean {
  return typeof input.text === "string" || files.length > 0;
}
