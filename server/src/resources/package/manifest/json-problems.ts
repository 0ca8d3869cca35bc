import type { JsonValue } from "#base";

/** What a manifest's JSON said that its message cannot hold. Paths are from the resource, in the manifest's own keys. */
export interface JsonProblems {
  /** Keys and enum names that mean nothing here, fields only the server sets: left out or read otherwise, and said so. */
  readonly remarks: { path: string; reason: string }[];
  /** Values of the wrong type: the resource cannot be made. */
  readonly wrong: { path: string; reason: string }[];
}

/** Notes a value of the wrong type. Answers nothing, which is what is kept of it. */
export function mismatch(path: string, expected: string, found: JsonValue, { wrong }: JsonProblems): undefined {
  wrong.push({ path, reason: `must be ${expected}, not ${describe(found)}` });
  return undefined;
}

function describe(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
