import { isJsonObject, type JsonObject, type JsonValue, nonEmptyFields } from "#base";

/** What is known of the values at one place of all examples. */
interface Observed {
  count: number;
  nulls: number;
  booleans: number;
  integers: number;
  numbers: number;
  texts: string[];
  objects: number;
  /** By property, with how many objects have it. */
  readonly properties: Map<string, Observed>;
  arrays: number;
  items: Observed | undefined;
}

/** Properties of one object that a schema lists; an object with more is a map. */
const MOST_PROPERTIES = 200;

/**
 * The JSON Schema (of OpenAPI 3.1) that all examples fit: types, formats, which properties are always there, and what may be null. Deterministic.
 * It holds no value of an example, because examples may hold customers' data.
 */
export function inferSchema(examples: readonly JsonValue[]): JsonObject {
  const seen = nothing();
  for (const example of examples) observe(example, seen);
  return schemaOf(seen);
}

function nothing(): Observed {
  return {
    count: 0,
    nulls: 0,
    booleans: 0,
    integers: 0,
    numbers: 0,
    texts: [],
    objects: 0,
    properties: new Map(),
    arrays: 0,
    items: undefined,
  };
}

function observe(value: JsonValue, seen: Observed): void {
  seen.count += 1;
  if (value === null) seen.nulls += 1;
  else if (typeof value === "boolean") seen.booleans += 1;
  else if (typeof value === "string") seen.texts.push(value);
  else if (typeof value === "number") {
    if (Number.isInteger(value)) seen.integers += 1;
    else seen.numbers += 1;
  } else if (isJsonObject(value)) observeObject(value, seen);
  else {
    seen.arrays += 1;
    seen.items ??= nothing();
    for (const item of value) observe(item, seen.items);
  }
}

function observeObject(value: JsonObject, seen: Observed): void {
  seen.objects += 1;
  for (const [name, member] of Object.entries(value)) {
    const known = seen.properties.get(name) ?? nothing();
    seen.properties.set(name, known);
    observe(member, known);
  }
}

function schemaOf(seen: Observed): JsonObject {
  const kinds: JsonObject[] = [];
  if (seen.booleans > 0) kinds.push({ type: "boolean" });
  if (seen.numbers > 0) kinds.push({ type: "number" });
  else if (seen.integers > 0) kinds.push({ type: "integer" });
  if (seen.texts.length > 0) kinds.push(textSchema(seen.texts));
  if (seen.arrays > 0)
    kinds.push({ type: "array", items: seen.items && seen.items.count > 0 ? schemaOf(seen.items) : {} });
  if (seen.objects > 0) kinds.push(objectSchema(seen));
  const [only, ...others] = seen.nulls > 0 ? [...kinds, { type: "null" }] : kinds;
  if (!only) return {};
  if (others.length === 0) return only;
  const [kind, ...more] = kinds;
  // A nullable value of one kind is written as OpenAPI 3.1 does.
  if (kind && more.length === 0 && typeof kind.type === "string") return { ...kind, type: [kind.type, "null"] };
  return { anyOf: [only, ...others] };
}

function objectSchema({ objects, properties }: Observed): JsonObject {
  const members = [...properties];
  if (members.length > MOST_PROPERTIES) return { type: "object", additionalProperties: true };
  const required = members.filter(([, { count }]) => count === objects).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map(([name, seen]) => [name, schemaOf(seen)])),
    ...(required.length > 0 && { required }),
  };
}

const FORMATS: readonly (readonly [format: string, pattern: RegExp])[] = [
  ["date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/],
  ["date", /^\d{4}-\d{2}-\d{2}$/],
  ["uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["uri", /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
];

/** A format that all texts have. */
function textSchema(texts: readonly string[]): JsonObject {
  const format = FORMATS.find(([, pattern]) => texts.every((text) => text.length <= 500 && pattern.test(text)))?.[0];
  return { type: "string", ...nonEmptyFields({ format }) };
}
