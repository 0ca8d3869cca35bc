import { RE2JS, RE2JSException } from "re2js";
import { isJsonObject, type JsonObject, type JsonValue, wordsOf } from "#base";

/**
 * Whether a call's arguments match a pattern. Arguments that the pattern does not name are ignored; the others must be equal, arrays
 * item by item. A value of the pattern may be a matcher: `{"$matchType": "ignore" | "contains" | "regexp" | "semantic",
 * "$matchValue": …}` (TOOL-22). `semantic` compares words without case and punctuation, because a mock must give the same
 * response every time, which a model does not.
 */
export function matchesPattern(args: JsonObject, pattern: JsonObject): boolean {
  return Object.entries(pattern).every(([name, expected]) => matches(args[name], expected));
}

function matches(actual: JsonValue | undefined, expected: JsonValue): boolean {
  if (isJsonObject(expected)) {
    if (typeof expected.$matchType === "string") return matchesBy(expected.$matchType, actual, expected.$matchValue);
    return isJsonObject(actual) && matchesPattern(actual, expected);
  }
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, position) => matches(actual[position], item))
    );
  }
  return actual === expected;
}

function matchesBy(matchType: string, actual: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  switch (matchType.toLowerCase()) {
    case "ignore":
      return true;
    case "contains":
      return actual !== undefined && textOf(actual).includes(textOf(expected));
    case "regexp":
      return actual !== undefined && containsPattern(textOf(actual), textOf(expected));
    case "semantic":
      return actual !== undefined && comparable(actual) === comparable(expected);
    default:
      return false;
  }
}

/** RE2 syntax, so that no pattern can block the server. An invalid pattern matches nothing. */
function containsPattern(text: string, expression: string): boolean {
  try {
    return RE2JS.compile(expression).matcher(text).find();
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function comparable(value: JsonValue | undefined): string {
  return wordsOf(textOf(value)).join(" ");
}
