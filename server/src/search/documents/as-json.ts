import type { JsonValue } from "#base";

/** Any parsed value as JSON: times as ISO 8601, what JSON has no word for as null. */
export function asJson(value: unknown): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== "object") return value === undefined ? null : String(value);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asJson(member)]));
}
