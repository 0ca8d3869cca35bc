import { parsePathTemplate, type TemplateSegment, type TemplateVariable } from "./path-template.ts";

/** The route of a path and an HTTP method. */
export interface RouteMatch<R> {
  readonly route: R;
  /** Decoded values in the order of the template's variables. */
  readonly values: readonly PathValue[];
}

/** The value of a variable of a path, and the field of the request that it fills. */
export interface PathValue {
  readonly fieldPath: readonly string[];
  readonly value: string;
}

/** A route, the HTTP methods that the path has, or nothing. */
type Routing<R> =
  | { readonly kind: "found"; readonly match: RouteMatch<R> }
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] }
  | { readonly kind: "unknown" };

interface Router<R> {
  /** `path` is the raw path, percent-encoded and without the query. Throws URIError on a malformed escape. */
  find(httpMethod: string, path: string): Routing<R>;
}

interface Leaf<R> {
  readonly route: R;
  readonly variables: readonly TemplateVariable[];
}

interface Node<R> {
  readonly literals: Map<string, Node<R>>;
  any: Node<R> | undefined;
  rest: Node<R> | undefined;
  /** By custom verb ("" for none), then by HTTP method. */
  readonly leaves: Map<string, Map<string, Leaf<R>>>;
}

/**
 * Builds a trie of path templates. A literal has precedence over `*`, `*` over `**`. Only a known custom verb is split off at the last
 * colon, and segments are unescaped after that, because ids may contain `%3A`. A colon that no rule splits off is part of an id, which a
 * method may not allow: then it is the custom verb of a method that does not exist.
 */
export function createRouter<R>(
  rules: Iterable<{ readonly httpMethod: string; readonly template: string; readonly route: R }>,
): Router<R> {
  const root = emptyNode<R>();
  const verbs = new Set<string>();
  for (const { httpMethod, template, route } of rules) {
    const { segments, variables, verb } = parsePathTemplate(template);
    if (verb) verbs.add(verb);
    const node = segments.reduce(descend, root);
    const leaves = node.leaves.get(verb) ?? new Map<string, Leaf<R>>();
    node.leaves.set(verb, leaves);
    if (!leaves.has(httpMethod)) leaves.set(httpMethod, { route, variables });
  }
  return {
    find: (httpMethod, path) => {
      const { segments, verb, hasUnknownVerb } = splitPath(path, verbs);
      const leaves = lookUp(root, segments, 0, verb);
      const leaf = leaves?.get(httpMethod);
      if (!leaves || (!leaf && hasUnknownVerb && httpMethod !== "OPTIONS")) return { kind: "unknown" };
      if (!leaf) return { kind: "wrong-method", allowed: [...leaves.keys()] };
      return {
        kind: "found",
        match: { route: leaf.route, values: leaf.variables.map((variable) => pathValue(variable, segments)) },
      };
    },
  };
}

function emptyNode<R>(): Node<R> {
  return { literals: new Map(), any: undefined, rest: undefined, leaves: new Map() };
}

function descend<R>(node: Node<R>, segment: TemplateSegment): Node<R> {
  switch (segment.kind) {
    case "any":
      node.any ??= emptyNode();
      return node.any;
    case "rest":
      node.rest ??= emptyNode();
      return node.rest;
    case "literal": {
      const known = node.literals.get(segment.text) ?? emptyNode<R>();
      node.literals.set(segment.text, known);
      return known;
    }
  }
}

interface SplitPath {
  readonly segments: readonly string[];
  /** A known custom verb; "" for none. */
  readonly verb: string;
  readonly hasUnknownVerb: boolean;
}

function splitPath(path: string, verbs: ReadonlySet<string>): SplitPath {
  const colon = path.lastIndexOf(":");
  const verb = colon > path.lastIndexOf("/") ? path.slice(colon + 1) : "";
  if (verbs.has(verb) && verb !== "") return { segments: path.slice(1, colon).split("/"), verb, hasUnknownVerb: false };
  return { segments: path.slice(1).split("/"), verb: "", hasUnknownVerb: verb !== "" };
}

function lookUp<R>(
  node: Node<R>,
  segments: readonly string[],
  index: number,
  verb: string,
): ReadonlyMap<string, Leaf<R>> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.leaves.get(verb);
  if (segment === "") return undefined;
  const literal = node.literals.get(segment);
  return (
    (literal && lookUp(literal, segments, index + 1, verb)) ??
    (node.any && lookUp(node.any, segments, index + 1, verb)) ??
    (segments.includes("", index) ? undefined : node.rest?.leaves.get(verb))
  );
}

function pathValue({ fieldPath, start, end, multiSegment }: TemplateVariable, segments: readonly string[]): PathValue {
  const raw = segments.slice(start, end);
  return { fieldPath, value: multiSegment ? raw.map(decodeButSlash).join("/") : decodeURIComponent(raw.join("/")) };
}

function decodeButSlash(segment: string): string {
  return segment.includes("%")
    ? segment
        .split(/(%2[fF])/)
        .map((part) => (/^%2[fF]$/.test(part) ? part : decodeURIComponent(part)))
        .join("")
    : segment;
}
