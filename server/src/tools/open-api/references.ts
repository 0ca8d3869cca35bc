import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Resolves `$ref`s within one document. Other documents are never read. */
export interface References {
  /** The object that a value is or references; undefined when there is none. Fields beside a `$ref` win (3.1). */
  object(value: JsonValue | undefined): JsonObject | undefined;
}

/** Limit of references to references. */
const MAX_HOPS = 32;

/** Creates the resolver of a document, which caches the target of each pointer. */
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

/** Why a reference cannot be resolved, without a full stop; undefined when it can. */
export function referenceProblem(root: JsonObject, reference: string): string | undefined {
  if (!reference.startsWith("#"))
    return `'${clip(reference)}' points to another document, which is not fetched; copy its target into this one`;
  return followPointer(root, reference) === undefined
    ? `'${clip(reference)}' points to nothing in the document`
    : undefined;
}

/** Resolves a JSON pointer (RFC 6901) in a fragment. Only own properties count, never those of Object.prototype. */
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
