import { FilterError } from "./syntax.ts";

/** A token of a filter. `spaced`: white space precedes it. */
export interface Token {
  readonly kind: "text" | "string" | "operator" | "and" | "or" | "not" | "end";
  readonly text: string;
  readonly at: number;
  readonly spaced: boolean;
}

/** Longer operators first. A minus is an operator only at the start of a term; within a word it is a letter. */
const OPERATORS = ["<=", ">=", "!=", "<", ">", "=", ":", "(", ")", ",", "."];
const KEYWORDS: Readonly<Record<string, Token["kind"]>> = { AND: "and", OR: "or", NOT: "not" };
const SPACE = /\s+/y;
/** An RFC 3339 time needs no quotes although it has colons. */
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/y;
const TEXT = /[^\s()",:=<>!'.]+/y;

/** The tokens of a filter (AIP-160), an `end` token last. Throws `FilterError` for an unclosed quote or an unexpected character. */
export function tokenize(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    const space = matchAt(SPACE, filter, at);
    at += space.length;
    const token = at === filter.length ? { kind: "end" as const, text: "", at } : readToken(filter, at);
    tokens.push({ ...token, spaced: space !== "" || at === 0 });
    if (token.kind === "end") return tokens;
    at = "end" in token ? token.end : at;
  }
}

type Read = { readonly kind: Token["kind"]; readonly text: string; readonly at: number; readonly end: number };

function readToken(filter: string, at: number): Read {
  const first = filter[at] ?? "";
  if (first === '"' || first === "'") return readString(filter, at, first);
  const time = matchAt(TIMESTAMP, filter, at);
  if (time) return { kind: "text", text: time, at, end: at + time.length };
  const operator = first === "-" ? "-" : OPERATORS.find((each) => filter.startsWith(each, at));
  if (operator) return { kind: "operator", text: operator, at, end: at + operator.length };
  const text = matchAt(TEXT, filter, at);
  if (!text) throw new FilterError(`'${first}' is not expected here`, at);
  return { kind: KEYWORDS[text] ?? "text", text, at, end: at + text.length };
}

function readString(filter: string, at: number, quote: string): Read {
  let text = "";
  for (let index = at + 1; index < filter.length; index++) {
    const character = filter[index];
    if (character === quote) return { kind: "string", text, at, end: index + 1 };
    if (character === "\\" && index + 1 < filter.length) text += filter[++index];
    else text += character;
  }
  throw new FilterError("the quote is not closed", at);
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
