import type { JsonArray, JsonObject, JsonValue } from "./json.ts";

/**
 * JSON that comes back as it went in. JavaScript reorders keys that look like an index, has one kind of number and rounds whole numbers
 * beyond 2^53. Values stay plain JavaScript; what the text had besides is remembered for each object and array, by identity, and used
 * when the value is written again. It counts only while the value is still the one that was read, so an edit cannot revive an old one.
 */
interface Spelling {
  /** All keys, in the order of the text; absent: JavaScript's order. */
  keys?: readonly string[];
  /** Numbers as the text had them, by key or index. */
  numbers?: Map<string, string>;
}

const spellings = new WeakMap<object, Spelling>();

/** Reads JSON text as `JSON.parse` does, and remembers what JavaScript does not keep of it. Throws SyntaxError. */
export function parseJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  if (typeof value === "object" && value !== null && MAY_LOSE.test(text)) remember(value, text);
  return value;
}

/** Writes JSON text as `JSON.stringify` does, with what `parseJson` remembered. */
export function writeJson(value: JsonValue | object): string {
  return hasSpelling(value) ? write(value as JsonValue) : JSON.stringify(value);
}

/** Whether `writeJson` would write anything else than `JSON.stringify`. */
export function hasSpelling(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (spellings.has(value)) return true;
  // Loops, because each value that is written is walked first.
  if (Array.isArray(value)) {
    for (const item of value) if (hasSpelling(item)) return true;
    return false;
  }
  for (const key in value) if (hasSpelling((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** `{...first, ...second}`, with what is remembered of each member. */
export function mergeJson(...sources: readonly JsonObject[]): JsonObject {
  // Not Object.assign: `__proto__` is a key like any other.
  let merged: JsonObject = {};
  for (const source of sources) merged = { ...merged, ...source };
  if (!sources.some((source) => spellings.has(source))) return merged;
  const keys = new Set<string>();
  for (const source of sources) {
    for (const key of keysOf(source)) {
      keys.add(key);
      keepSpelling(source, key, merged, key);
    }
  }
  if (sources.some((source) => spellings.get(source)?.keys)) spell(merged).keys = [...keys];
  return merged;
}

/** An object with the members of these names that the source has, in its order. */
export function pickJson(source: JsonObject, names: readonly string[]): JsonObject {
  const wanted = new Set(names);
  const keys = keysOf(source).filter((key) => wanted.has(key));
  const picked = Object.fromEntries(Object.entries(source).filter(([key]) => wanted.has(key)));
  for (const key of keys) keepSpelling(source, key, picked, key);
  if (spellings.get(source)?.keys) spell(picked).keys = keys;
  return picked;
}

/** What is remembered of a number in one place is remembered of it in another, too: `to[toKey]` was copied from `from[fromKey]`. */
export function keepSpelling(from: object, fromKey: string, to: object, toKey: string): void {
  const source = spellings.get(from)?.numbers?.get(fromKey);
  const known = spellings.get(to);
  if (source === undefined) known?.numbers?.delete(toKey);
  else numbersOf(known ?? spell(to)).set(toKey, source);
}

/** A number as the text had it, where JavaScript writes it otherwise; undefined for all other values. */
export function spelledNumber(holder: object, key: string, value: JsonValue | undefined): string | undefined {
  const source = spellings.get(holder)?.numbers?.get(key);
  return source !== undefined && Object.is(Number(source), value) ? source : undefined;
}

/** Texts without any of these come back from JavaScript as they are; a match may be a false alarm. Ids with digits in strings are none. */
const MAY_LOSE = /"\d+"\s*:|(?:^|[:,[\s])(?:-0|-?\d{1,15}(?:\.0|\.\d{16}|\.?\d{0,15}[eE])|-?\d{16})/;

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|[{}[\],:]/g;

/** A container that is being walked through. */
interface Open {
  readonly value: JsonObject | JsonArray;
  /** Keys of an object as they come. */
  readonly keys: Set<string>;
  key: string;
  /** Whether the next string is a key. */
  atKey: boolean;
}

/** Walks the text and the value that was parsed from it side by side. The text is valid JSON. */
function remember(root: JsonObject | JsonArray, text: string): void {
  const stack: Open[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const top = stack.at(-1);
    switch (token[0]) {
      case "{":
      case "[":
        stack.push(open(top ? member(top) : root));
        break;
      case "}":
      case "]":
        if (top) close(top);
        stack.pop();
        break;
      case ",":
        if (top) advance(top);
        break;
      case ":":
        if (top) top.atKey = false;
        break;
      case '"':
        if (top?.atKey) {
          top.key = JSON.parse(token) as string;
          top.keys.add(top.key);
        }
        break;
      default:
        if (top) rememberNumber(top, token);
    }
  }
}

function rememberNumber(top: Open, token: string): void {
  if (String(member(top)) !== token) numbersOf(spell(top.value)).set(top.key, token);
  else spellings.get(top.value)?.numbers?.delete(top.key); // the key is there twice
}

function open(value: JsonValue | undefined): Open {
  // A repeated key has left only its last value, which may be of another kind than the one that is walked through here.
  const container = typeof value === "object" && value !== null ? value : {};
  const isArray = Array.isArray(container);
  return { value: container, keys: new Set(), key: isArray ? "0" : "", atKey: !isArray };
}

function member({ value, key }: Open): JsonValue | undefined {
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

function advance(open: Open): void {
  if (Array.isArray(open.value)) open.key = String(Number(open.key) + 1);
  else open.atKey = true;
}

function close({ value, keys }: Open): void {
  if (Array.isArray(value)) return;
  const order = [...keys];
  if (Object.keys(value).some((key, at) => key !== order[at])) spell(value).keys = order;
}

function spell(value: object): Spelling {
  const known = spellings.get(value);
  if (known) return known;
  const spelling: Spelling = {};
  spellings.set(value, spelling);
  return spelling;
}

function numbersOf(spelling: Spelling): Map<string, string> {
  spelling.numbers ??= new Map();
  return spelling.numbers;
}

/** The keys of an object in the order in which they are written. Those that were added since it was read come last. */
function keysOf(value: JsonObject): readonly string[] {
  const keys = spellings.get(value)?.keys;
  if (!keys) return Object.keys(value);
  return [...new Set([...keys.filter((key) => Object.hasOwn(value, key)), ...Object.keys(value)])];
}

function write(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const text = (key: string, item: JsonValue) => spelledNumber(value, key, item) ?? write(item);
  if (Array.isArray(value)) return `[${value.map((item, at) => text(String(at), item)).join(",")}]`;
  const members = keysOf(value).flatMap((key) => {
    const item = value[key];
    return item === undefined ? [] : [`${JSON.stringify(key)}:${text(key, item)}`];
  });
  return `{${members.join(",")}}`;
}
