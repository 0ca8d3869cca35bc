import { type FoundValue, findValues, type ValueKind } from "./values.ts";

/** A text to take values from. Values are used up: the number that one parameter took, the next one does not get. */
export interface SlotText {
  readonly text: string;
  readonly unused: Set<FoundValue>;
  /** The parameter that the agent asked for and that this text answers; then plain words count as its value. */
  readonly answers?: string;
}

/** Opens a text for `findParameter`. */
export function slotText(text: string, answers?: string): SlotText {
  return { text, unused: new Set(findValues(text)), ...(answers === undefined ? {} : { answers }) };
}

/** Takes the first unused value of one of these kinds. */
export function take(source: SlotText, kinds: readonly ValueKind[]): FoundValue | undefined {
  const found = [...source.unused].find(({ kind }) => kinds.includes(kind));
  if (found !== undefined) source.unused.delete(found);
  return found;
}
