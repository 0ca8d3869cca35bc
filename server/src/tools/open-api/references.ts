import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Looks `$ref`s up inside one document. Nothing outside of it is ever read. */
export interface References {
  /** The object that a value is or refers to; undefined when that leads to no object. Fields beside a `$ref` win (3.1). */
  object(value: JsonValue | undefined): JsonObject | undefined;
}

/** References that may follow each other. */
const MAX_HOPS = 32;

/** Creates the look-up of a document. What one pointer leads to is found once. */
export function createReferences(root: JsonObject): References {
  const found = new Map<string, JsonValue | undefined>();
  const target = (pointer: string): JsonValue | undefined => {
    if (!found.has(pointer)) found.set(pointer, followPointer(root, pointer));
    return found.get(pointer);
  };
  return {
    object: (value) => {
      let current = value;
      let beside: JsonObject = {};
      for (let hops = 0; hops < MAX_HOPS; hops++) {
        if (!isJsonObject(current)) return undefined;
        const { $ref, ...rest } = current;
        if (typeof $ref !== "string") return Object.keys(beside).length > 0 ? { ...current, ...beside } : current;
        beside = { ...rest, ...beside };
        current = target($ref);
      }
      return undefined;
    },
  };
}

/** What a reference that cannot be followed is told as; undefined for one that leads somewhere in the document. */
export function referenceProblem(root: JsonObject, reference: string): string | undefined {
  if (!reference.startsWith("#"))
    return `'${clip(reference)}' leads out of the document, and other documents are not fetched; put what it names into this one`;
  return followPointer(root, reference) === undefined
    ? `'${clip(reference)}' leads to nothing in the document`
    : undefined;
}

/** JSON pointer (RFC 6901) in a fragment. Only own fields count, so that names of Object's own are no way out. */
function followPointer(root: JsonObject, reference: string): JsonValue | undefined {
  if (!reference.startsWith("#")) return undefined;
  let current: JsonValue | undefined = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const key = decode(step);
    if (Array.isArray(current)) current = current[Number(key)];
    else current = isJsonObject(current) && Object.hasOwn(current, key) ? current[key] : undefined;
  }
  return current;
}

function decode(step: string): string {
  const unescaped = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(unescaped);
  } catch {
    return unescaped;
  }
}

function clip(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
