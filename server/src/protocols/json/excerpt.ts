import type { JsonValue } from "#base";

/** A value for an error message: at most 100 characters, lists and objects as `[…]` and `{…}`. */
export function excerpt(value: JsonValue): string {
  if (Array.isArray(value)) return "[…]";
  if (typeof value === "object" && value !== null) return "{…}";
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
