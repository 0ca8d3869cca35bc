import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { ListedOperation } from "./documents.ts";

/** Limit of nodes that the references of one slice lead to. */
const MAX_NODES = 5_000;
/** Limit of nodes visited for all slices of a document. */
const MAX_NODES_OF_DOCUMENT = 300_000;
/** Limit of characters in all slices of a document, beside those of the operations themselves. */
const MAX_TEXT = 8 * 1024 * 1024;

/**
 * Cuts a document into slices with one operation and what it references each: the schema of a single tool, for those who read it; calls use the
 * operation itself. In large documents most things are reachable from each operation. What is beyond the limits is an empty object, so that
 * all tools together are not many times as long as their document. A reference to another place than those for shared things (such as into
 * another operation) makes the slice the whole text, while that is within the limit.
 */
export function createDocumentSlices(root: JsonObject, text: string): (operation: ListedOperation) => string {
  let left = MAX_TEXT;
  const walk = { left: MAX_NODES_OF_DOCUMENT };
  const { openapi, info, servers } = root;
  return ({ method, path }) => {
    const item = isJsonObject(root.paths) ? root.paths[path] : undefined;
    const { own, isWhole } = ownPart(item, method);
    const write = (shared: JsonObject) =>
      JSON.stringify({ openapi, info, servers, paths: { [path]: own }, ...withSecurity(root, shared) });
    const found = reachable(root, own, Math.min(MAX_NODES, walk.left));
    walk.left -= found.nodes;
    let slice = !isWhole || found.leadsElsewhere ? text : write(found.shared);
    if (slice.length > left) slice = write(reachable(root, own, 0).shared);
    left -= slice.length;
    return slice;
  };
}

/** What of a path item belongs to an operation; not the whole of it when the item is a reference. */
function ownPart(
  item: JsonValue | undefined,
  method: ListedOperation["method"],
): { readonly own: JsonObject; readonly isWhole: boolean } {
  if (!isJsonObject(item) || typeof item.$ref === "string") return { own: {}, isWhole: false };
  const { get, put, post, delete: remove, options, head, patch, trace, ...shared } = item;
  const operation = item[method];
  return { own: operation === undefined ? shared : { ...shared, [method]: operation }, isWhole: true };
}

/** Places of things that a document shares: `#/components/schemas/Pet`, and of Swagger 2.0 `#/definitions/Pet`. */
const SHARED = /^#\/(components\/[^/]+|definitions|parameters|responses)\/([^/~%]+)$/;

interface Reachable {
  /** The shared things, at their places. */
  readonly shared: Record<string, JsonValue>;
  readonly nodes: number;
  /** Whether a reference leads to another place, which `shared` does not have. */
  readonly leadsElsewhere: boolean;
}

/** What a value references, directly or indirectly, the nearest first. After `limit` nodes a reference leads to an empty object. */
function reachable(root: JsonObject, start: JsonValue, limit: number): Reachable {
  const places = new Map<string, Record<string, JsonValue>>();
  const open: JsonValue[] = [start];
  let nodes = 0;
  let leadsElsewhere = false;
  const follow = (reference: string): void => {
    const [, place, name] = SHARED.exec(reference) ?? [];
    const target = place === undefined || name === undefined ? undefined : childOf(placeOf(root, place), name);
    if (place === undefined || name === undefined || target === undefined) {
      leadsElsewhere = true;
      return;
    }
    const known = places.get(place) ?? {};
    places.set(place, known);
    if (Object.hasOwn(known, name)) return;
    const isBeyond = nodes > limit;
    known[name] = isBeyond ? {} : target;
    if (!isBeyond) open.push(target);
  };
  // The list grows while it is read.
  for (const value of open) {
    if (typeof value !== "object" || value === null) continue;
    nodes++;
    if (!Array.isArray(value) && typeof value.$ref === "string") follow(value.$ref);
    for (const child of Object.values(value)) if (child !== undefined) open.push(child);
  }
  return { shared: atPlaces(places), nodes, leadsElsewhere };
}

function placeOf(root: JsonObject, place: string): JsonValue | undefined {
  return place.split("/").reduce<JsonValue | undefined>((value, step) => childOf(value, step), root);
}

function childOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function atPlaces(places: ReadonlyMap<string, JsonObject>): Record<string, JsonValue> {
  const components: Record<string, JsonValue> = {};
  const shared: Record<string, JsonValue> = {};
  for (const [place, things] of places) {
    const [first = "", kind] = place.split("/");
    if (kind === undefined) shared[first] = things;
    else components[kind] = things;
  }
  return Object.keys(components).length > 0 ? { ...shared, components } : shared;
}

/** Adds the security schemes: operations name them without a `$ref`. */
function withSecurity({ components }: JsonObject, shared: JsonObject): JsonObject {
  const schemes = isJsonObject(components) ? components.securitySchemes : undefined;
  if (schemes === undefined) return shared;
  const own = isJsonObject(shared.components) ? shared.components : {};
  return { ...shared, components: { ...own, securitySchemes: schemes } };
}
