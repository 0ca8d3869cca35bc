import { isJsonObject, type JsonValue } from "#base";
import { invalidArgument } from "#status";
import { camelMask } from "../json/fields.ts";

/** The selected fields: each name has the selection of its value; an empty tree selects all of it. */
export interface FieldTree {
  readonly [name: string]: FieldTree;
}

/**
 * Parses a partial-response selector: `name,agents(name,displayName),rootSpan/name`, with dots or slashes, and `*` for any name.
 * Throws INVALID_ARGUMENT on anything else.
 */
export function parseFields(text: string): FieldTree {
  const tokens = text.match(/[\w*]+|[(),./]|\S/g) ?? [];
  let at = 0;
  const list = (tree: MutableTree): void => {
    item(tree);
    while (tokens[at] === ",") {
      at++;
      item(tree);
    }
  };
  const item = (tree: MutableTree): void => {
    const name = tokens[at++];
    if (name === undefined || !/^[\w*]+$/.test(name)) throw invalidSelector(text);
    const key = camelMask(name);
    const inner = tree[key] ?? emptyTree();
    tree[key] = inner;
    if (tokens[at] === "/" || tokens[at] === ".") {
      at++;
      item(inner);
    } else if (tokens[at] === "(") {
      at++;
      list(inner);
      if (tokens[at++] !== ")") throw invalidSelector(text);
    }
  };
  const tree = emptyTree();
  list(tree);
  if (at < tokens.length) throw invalidSelector(text);
  return tree;
}

interface MutableTree {
  [name: string]: MutableTree;
}

/** Without a prototype: names come from the caller. */
function emptyTree(): MutableTree {
  return Object.create(null) as MutableTree;
}

function invalidSelector(text: string): Error {
  return invalidArgument({ field: "fields", description: `Invalid field selection ${text}` });
}

/** The selected part of a JSON value; a list has the selection of its items. */
export function selectFields(json: JsonValue, tree: FieldTree): JsonValue {
  if (Object.keys(tree).length === 0) return json;
  if (Array.isArray(json)) return json.map((item) => selectFields(item, tree));
  if (!isJsonObject(json)) return json;
  const selected = Object.entries(json).flatMap(([name, value]): [string, JsonValue][] => {
    const inner = selectionOf(tree, name);
    return inner ? [[name, selectFields(value, inner)]] : [];
  });
  return Object.fromEntries(selected);
}

/** The selection of a member's value; undefined when the member is not selected. */
export function selectionOf(tree: FieldTree, name: string): FieldTree | undefined {
  if (Object.keys(tree).length === 0) return tree;
  return Object.hasOwn(tree, name) ? tree[name] : tree["*"];
}
