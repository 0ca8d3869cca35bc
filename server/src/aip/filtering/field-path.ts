import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { ReflectList, ReflectMap, ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FilterError, type Literal, type Restriction } from "./syntax.ts";

/** A step of a resolved path: a field, a key of a map, or a key in the JSON of a Struct. */
type PathStep = { readonly field: DescField } | { readonly key: string };

/** A path of a filter, resolved against a message type. `field` declares the values that are compared. */
export interface FieldPath {
  readonly steps: readonly PathStep[];
  readonly field: DescField;
  /** The path leads into JSON, whose values have no declared type. */
  readonly dynamic: boolean;
}

/**
 * Resolves the path of a restriction against a message. Fields are found by proto or JSON name. Lists may be entered and compared
 * only with `:` (AIP-160). Throws `FilterError` for a path that does not exist.
 */
export function resolveFieldPath(desc: DescMessage, { path, comparator, at }: Restriction): FieldPath {
  const steps: PathStep[] = [];
  let current: DescMessage | undefined = desc;
  let last: DescField | undefined;
  for (let index = 0; index < path.length; index++) {
    const part = path[index] ?? "";
    const field: DescField | undefined = current?.fields.find(
      ({ name, jsonName }) => name === part || jsonName === part,
    );
    if (!field) throw new FilterError(unknownField(part, current, last), at);
    steps.push({ field });
    last = field;
    current = field.message;
    const rest = path.slice(index + 1);
    if (isStruct(field)) return { steps: [...steps, ...rest.map((key) => ({ key }))], field, dynamic: rest.length > 0 };
    if (field.fieldKind === "list" && comparator !== ":") {
      throw new FilterError(`'${part}' is a list; use ':' to ask whether it has a value`, at);
    }
    if (field.fieldKind === "map") {
      if (rest.length > 0) steps.push({ key: path[++index] ?? "" });
      else if (comparator !== ":")
        throw new FilterError(`'${part}' is a map; use '${part}:key' or '${part}.key = value'`, at);
    }
  }
  if (!last) throw new FilterError("a field is missing", at);
  return { steps, field: last, dynamic: false };
}

/** Whether a value is the wildcard of a presence test: `field:*`. */
export function isPresence(value: Literal): boolean {
  return value.text === "*" && !value.quoted;
}

function unknownField(part: string, inside: DescMessage | undefined, last: DescField | undefined): string {
  return inside
    ? `${inside.name} has no field '${part}'`
    : `'${last?.name ?? ""}' has no fields, so '${part}' cannot be found in it`;
}

function isStruct(field: DescField): boolean {
  return field.fieldKind === "message" && field.message.typeName === "google.protobuf.Struct";
}

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

/** A Struct message as its JSON object; JSON as it is. */
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
