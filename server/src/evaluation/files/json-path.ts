import { isJsonObject, type JsonValue } from "#base";

const STEP = /(\.\.|\.|)(?:\[(\d+|\*|'[^']*'|"[^"]*")\]|([\p{L}\p{N}_$-]+|\*))/uy;

/**
 * The values at a JSONPath: `$`, names, `['name']`, `[0]`, `[*]`, `*` and `..name`. Undefined for a path of another form (filters, slices).
 * A path without `$` begins at the top, too.
 */
export function valuesAt(value: JsonValue, path: string): readonly JsonValue[] | undefined {
  const text = path.trim().replace(/^\$/, "");
  let found: readonly JsonValue[] = [value];
  for (let at = 0; at < text.length; ) {
    STEP.lastIndex = at;
    const match = STEP.exec(text);
    if (!match) return undefined;
    const [whole, descent, bracket, name] = match;
    if (bracket === undefined && descent === "" && at > 0) return undefined;
    const key = bracket === undefined ? (name ?? "") : bracket.replaceAll(/^['"]|['"]$/g, "");
    found = (descent === ".." ? found.flatMap(descendants) : found).flatMap((inner) => child(inner, key));
    at += whole.length;
  }
  return found;
}

function child(value: JsonValue, key: string): readonly JsonValue[] {
  if (Array.isArray(value)) return key === "*" ? value : nth(value, key);
  if (!isJsonObject(value)) return [];
  if (key === "*") return Object.values(value);
  return Object.hasOwn(value, key) ? [value[key] ?? null] : [];
}

function nth(list: readonly JsonValue[], key: string): readonly JsonValue[] {
  const position = Number(key);
  return Number.isInteger(position) && position < list.length ? [list[position] ?? null] : [];
}

function descendants(value: JsonValue): readonly JsonValue[] {
  const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return [value, ...inner.flatMap(descendants)];
}
