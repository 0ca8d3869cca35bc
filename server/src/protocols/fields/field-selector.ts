import { invalidArgument } from "#status";

/** Names as a selector has them, each with the names below it. */
export interface NameTree {
  readonly [name: string]: NameTree;
}

/** Levels of a selector, at most: more than any message has. */
const MAX_DEPTH = 100;

/**
 * Parses a partial-response selector: `name,agents(name,displayName),rootSpan/name`, with dots or slashes, and `*` for any name; a key of
 * a map may be in backticks. Throws INVALID_ARGUMENT on anything else.
 */
export function parseSelector(text: string): NameTree {
  const tokens = text.match(/`[^`]*`|[^\s(),./`]+|\S/g) ?? [];
  let at = 0;
  const list = (tree: MutableTree, depth: number): void => {
    item(tree, depth);
    while (tokens[at] === ",") {
      at++;
      item(tree, depth);
    }
  };
  const item = (tree: MutableTree, depth: number): void => {
    const name = nameIn(tokens[at++]);
    if (name === undefined || depth > MAX_DEPTH) throw invalidSelector(text);
    const inner = tree[name] ?? emptyTree();
    tree[name] = inner;
    if (tokens[at] === "/" || tokens[at] === ".") {
      at++;
      item(inner, depth + 1);
    } else if (tokens[at] === "(") {
      at++;
      list(inner, depth + 1);
      if (tokens[at++] !== ")") throw invalidSelector(text);
    }
  };
  const tree = emptyTree();
  list(tree, 1);
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

function nameIn(token: string | undefined): string | undefined {
  if (token === undefined || /^[(),./`]$/.test(token)) return undefined;
  return token.startsWith("`") ? token.slice(1, -1) : token;
}

/** The error that Google has for a selector or a part of it. */
export function invalidSelector(text: string): Error {
  return invalidArgument({ field: "fields", description: `Invalid field selection ${text}` });
}
