import { isJsonObject, type JsonObject, type JsonValue, textOrJson } from "#base";
import { findEntities } from "../slots/entities.ts";

/** Maps recorded values to those of the present conversation. */
export interface Bindings {
  /** Binds the values found in a recorded text of the user to those of the same kind and place in the actual text. */
  bindTexts(recorded: string, actual: string): void;
  /** Binds the leaves of recorded arguments or of a recorded response to the leaves at the same place. */
  bindLeaves(recorded: JsonObject, actual: JsonObject): void;
  /** A recorded value with every bound value replaced, in texts too. */
  rebind(value: JsonValue): JsonValue;
  /** Whether a recorded value has a counterpart in a text, a call or a response of this conversation, equal or not. */
  isBound(value: JsonValue): boolean;
  /** Whether a recorded text of the user contains this value and the present text has no counterpart. */
  isLost(value: JsonValue): boolean;
}

/** Empty bindings; later bindings of the same recorded value win, as the newer fact. */
export function createBindings(): Bindings {
  const bound = new Map<string, JsonValue>();
  const wholeTexts = new Map<string, string>();
  const texts: { readonly recorded: string; readonly actual: string }[] = [];

  function rebind(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map(rebind);
    if (isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, rebind(entry)]));
    if (typeof value !== "string") return bound.get(textOrJson(value)) ?? value;
    return bound.get(value) ?? wholeTexts.get(value) ?? rebindText(value, bound);
  }

  return {
    bindTexts(recorded, actual) {
      texts.push({ recorded, actual });
      wholeTexts.set(recorded, actual);
      const actualValues = findEntities(actual);
      for (const kind of new Set(findEntities(recorded).map((found) => found.kind))) {
        const now = actualValues.filter((found) => found.kind === kind);
        const then = findEntities(recorded).filter((found) => found.kind === kind);
        then.forEach(({ value }, position) => {
          const replacement = now[position]?.value;
          if (replacement !== undefined) bound.set(value, replacement);
        });
      }
    },
    bindLeaves(recorded, actual) {
      const now = new Map(leavesOf(actual));
      for (const [path, value] of leavesOf(recorded)) {
        const replacement = now.get(path);
        if (replacement !== undefined) bound.set(textOrJson(value), replacement);
      }
    },
    rebind,
    isBound: (value) => bound.has(textOrJson(value)) || wholeTexts.has(textOrJson(value)),
    isLost(value) {
      const key = textOrJson(value);
      if (key.length < 2 || bound.has(key) || wholeTexts.has(key)) return false;
      return texts.some(({ recorded, actual }) => contains(recorded, key) && !contains(actual, key));
    },
  };
}

/** The scalar leaves of a JSON value with their paths. */
export function leavesOf(value: JsonValue, path = ""): readonly (readonly [path: string, value: JsonValue])[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, entry]) => leavesOf(entry, `${path}/${key}`));
}

/** Whether a text contains a value as a whole word or phrase, ignoring case. */
export function contains(text: string, value: string): boolean {
  return value !== "" && text.toLowerCase().includes(value.toLowerCase()) && wholeWord(value).test(text);
}

/** Replaces all bound values in one pass, longest first: a replacement is not replaced again. */
function rebindText(text: string, bound: ReadonlyMap<string, JsonValue>): string {
  const recorded = [...bound.keys()].filter(
    (value) => value.length > 1 && !/^(?:true|false|null)$/.test(value) && contains(text, value),
  );
  if (recorded.length === 0) return text;
  const pattern = recorded
    .sort((left, right) => right.length - left.length)
    .map((value) => RegExp.escape(value))
    .join("|");
  const lookup = new Map(recorded.map((value) => [value.toLowerCase(), bound.get(value)]));
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu"), (match) => {
    const value = lookup.get(match.toLowerCase());
    return value === undefined || value === null ? match : String(value);
  });
}

function wholeWord(value: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(value)}(?![\\p{L}\\p{N}])`, "iu");
}
