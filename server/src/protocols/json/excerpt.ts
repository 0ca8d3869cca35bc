import type { JsonValue } from "#base";

/** A value as an error message shows it: short, and of lists and objects only that they are. */
export function excerpt(value: JsonValue): string {
  if (Array.isArray(value)) return "[…]";
  if (typeof value === "object" && value !== null) return "{…}";
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
