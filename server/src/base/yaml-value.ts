import { type Document, isAlias, isNode, type Node, visit } from "yaml";

/** How often the aliases of one document may be followed: each can be a copy of a whole tree, so more of them are an attack. */
const MAX_ALIASES = 100;

/** The value of a YAML document, or the first alias that has none. */
type YamlValue =
  | { readonly value: unknown }
  /** One sentence, and the position in the text, from 0. */
  | { readonly problem: string; readonly offset: number };

/**
 * The value of a YAML document without errors. Aliases are resolved; one without an anchor before it, one to a part that it is in itself, and too
 * many of them are a problem, because neither has a value of finite size.
 */
export function yamlValue(document: Document.Parsed): YamlValue {
  const { first, broken } = aliasesOf(document);
  if (broken) return broken;
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (failure) {
    if (!(failure instanceof ReferenceError)) throw failure;
    return { problem: `The aliases stand for too much: at most ${MAX_ALIASES} copies are read.`, offset: first };
  }
}

/** The position of the first alias, and the first alias that stands for nothing. */
function aliasesOf(document: Document.Parsed): {
  readonly first: number;
  readonly broken: Extract<YamlValue, { problem: string }> | undefined;
} {
  const anchored = new Map<string, Node>();
  let first: number | undefined;
  let broken: Extract<YamlValue, { problem: string }> | undefined;
  visit(document, (_key, node, path) => {
    if (isAlias(node)) {
      const offset = node.range?.[0] ?? 0;
      first ??= offset;
      const target = anchored.get(node.source);
      const problem = target ? path.includes(target) && "refers to a part that it is in" : "has no anchor before it";
      if (!problem) return undefined;
      broken = { problem: `The alias *${node.source} ${problem}. Quote the text if it is no alias.`, offset };
      return visit.BREAK;
    }
    if (isNode(node) && "anchor" in node && node.anchor) anchored.set(node.anchor, node);
    return undefined;
  });
  return { first: first ?? 0, broken };
}
