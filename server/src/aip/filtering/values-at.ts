import type { ReflectList, ReflectMap, ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { PathStep } from "./checker.ts";

/** All values at a path: none where something on the way is missing, several where it leads through lists. Maps give entries. */
export function valuesAt(start: readonly unknown[], steps: readonly PathStep[], presence: boolean): readonly unknown[] {
  let values = start;
  for (const step of steps) values = values.flatMap((value) => stepInto(value, step, presence));
  return values.flatMap(elementsOf);
}

function stepInto(value: unknown, step: PathStep, presence: boolean): readonly unknown[] {
  if (isMap(value)) return "key" in step ? (value.has(step.key) ? [value.get(step.key)] : []) : [];
  if (isList(value)) return [...value].flatMap((item) => stepInto(item, step, presence));
  if ("key" in step) return jsonEntry(value, step.key);
  if (!isReflected(value)) return [];
  // A scalar without presence has its zero value when it is not set; for `:*` it counts as absent.
  const isMessage = step.field.fieldKind === "message";
  return value.isSet(step.field) || (!presence && !isMessage) ? [plain(value.get(step.field))] : [];
}

/** The elements of a list, the entries of a map, or the value itself. */
export function elementsOf(value: unknown): readonly unknown[] {
  if (isList(value)) return [...value].map(plain);
  return isMap(value) ? [...value] : [value];
}

/** Well-known types leave reflection as what they are; other messages stay reflected. */
function plain(value: unknown): unknown {
  return isReflected(value) && value.desc.typeName.startsWith("google.protobuf.") ? value.message : value;
}

function jsonEntry(value: unknown, key: string): readonly unknown[] {
  const json = structJson(value);
  return typeof json === "object" && json !== null && key in json ? [(json as Record<string, unknown>)[key]] : [];
}

/** A Struct message as the JSON object it stands for; JSON as it is. */
function structJson(value: unknown): unknown {
  const fields = (value as { readonly $typeName?: string; readonly fields?: Record<string, unknown> } | null) ?? {};
  if (fields.$typeName !== "google.protobuf.Struct") return value;
  return Object.fromEntries(Object.entries(fields.fields ?? {}).map(([key, each]) => [key, valueJson(each)]));
}

function valueJson(value: unknown): unknown {
  const { kind } = value as { readonly kind: { readonly case?: string; readonly value?: unknown } };
  if (kind.case === "structValue") return structJson(kind.value);
  if (kind.case === "listValue") return (kind.value as { readonly values: readonly unknown[] }).values.map(valueJson);
  return kind.case === "nullValue" ? null : kind.value;
}

function isReflected(value: unknown): value is ReflectMessage {
  return typeof value === "object" && value !== null && "desc" in value && "message" in value;
}

function isList(value: unknown): value is ReflectList {
  return typeof value === "object" && value !== null && "add" in value && Symbol.iterator in value;
}

function isMap(value: unknown): value is ReflectMap {
  return typeof value === "object" && value !== null && "has" in value && "delete" in value;
}
