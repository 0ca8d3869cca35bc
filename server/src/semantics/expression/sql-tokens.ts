/** A piece of an SQL expression. Pieces put together give the text again. */
export interface SqlToken {
  readonly kind: "word" | "number" | "string" | "quoted" | "reference" | "comment" | "space" | "symbol";
  readonly text: string;
}

const PIECE =
  /(?<comment>--[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*))|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*"|`[^`]*`)|(?<reference>\$\{[^{}]*\})|(?<number>(?<![\p{L}\p{N}_])\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<space>\s+)|(?<symbol>::|<=|>=|<>|!=|\|\||[\s\S])/gu;

/** Cuts an SQL expression into pieces. */
export function sqlTokens(text: string): readonly SqlToken[] {
  return [...text.matchAll(PIECE)].map(({ groups = {}, 0: piece }) => {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? "symbol";
    return { kind: kind as SqlToken["kind"], text: piece };
  });
}

/** The place of the first piece from a place on that is no space; behind the last piece where there is none. */
export function nextPiece(tokens: readonly SqlToken[], from: number): number {
  let at = from;
  while (tokens[at]?.kind === "space") at++;
  return at;
}

/** What is wrong with the form of an expression; undefined for nothing. It becomes part of a statement, and must not end its part. */
export function expressionFault(text: string): string | undefined {
  if (text.trim() === "") return "is empty";
  let depth = 0;
  for (const { kind, text: piece } of sqlTokens(text)) {
    if (kind === "comment") return "has a comment";
    if (kind !== "symbol") continue;
    if (piece === ";") return "has a semicolon";
    if (piece === "'" || piece === '"' || piece === "`") return "has an open quote";
    depth += piece === "(" ? 1 : piece === ")" ? -1 : 0;
    if (depth < 0) break;
  }
  return depth === 0 ? undefined : "has parentheses that do not match";
}

/** A reference to a dimension in an expression; without a dataset, of the same one. */
export interface Reference {
  readonly dataset?: string;
  readonly name: string;
}

/** Reads `${name}` and `${dataset.name}`. */
function parseReference(text: string): Reference {
  const inner = text.replace(/^\$\{|\}$/g, "").trim();
  const dot = inner.lastIndexOf(".");
  return dot < 0 ? { name: inner } : { dataset: inner.slice(0, dot), name: inner.slice(dot + 1) };
}

/** The references of an expression, in their order. */
export function referencesOf(text: string): readonly Reference[] {
  return sqlTokens(text).flatMap(({ kind, text: piece }) => (kind === "reference" ? [parseReference(piece)] : []));
}

/** The expression with each reference replaced. */
export function replaceReferences(text: string, replace: (reference: Reference) => string): string {
  return sqlTokens(text)
    .map(({ kind, text: piece }) => (kind === "reference" ? replace(parseReference(piece)) : piece))
    .join("");
}

/** Words of SQL that are no names of columns. */
const KEYWORDS = new Set(
  `and or not in is null like ilike between true false case when then else end cast as date timestamp datetime interval distinct exists
  day week month quarter year hour minute second int integer bigint smallint decimal numeric float double precision real text varchar char boolean
  string int64 float64 bool escape similar to any all from at time zone current_date current_timestamp`.split(/\s+/),
);

/** Names in an expression that stand for columns: neither keywords nor functions nor references. */
export function bareNames(text: string): readonly string[] {
  const tokens = sqlTokens(text).filter(({ kind }) => kind !== "space");
  return tokens.flatMap((token, at) => {
    if (token.kind === "quoted") return [token.text];
    if (token.kind !== "word" || KEYWORDS.has(token.text.toLowerCase())) return [];
    return tokens[at + 1]?.text === "(" ? [] : [token.text];
  });
}
