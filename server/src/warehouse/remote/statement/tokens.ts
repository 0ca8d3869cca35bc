import { rejected } from "../../statement-check/statement-check.ts";
import type { Lexis } from "../contract.ts";
import { Refusal } from "./refusal.ts";

/** A token of a statement. Comments and white space are dropped. */
export interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "parameter" | "symbol";
  /** As written; of names and texts their content. */
  readonly text: string;
}

/** Tokens in parentheses or brackets. */
export interface Group {
  readonly kind: "group";
  readonly open: "(" | "[";
  readonly items: readonly Item[];
}

export type Item = Token | Group;

const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const PARAMETER = /@([A-Za-z_]\w*)/y;
const SYMBOLS = ["<=", ">=", "<>", "!=", "(", ")", "[", "]", ",", ".", "*", "+", "-", "/", "%", "=", "<", ">", ";"];

/** Cuts a statement into tokens. Throws `Refusal` for what no question has. */
export function tokensOf(sql: string, lexis: Lexis): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const behind = afterBlank(sql, at, lexis);
    if (behind > at) at = behind;
    else {
      const { token, end } = tokenAt(sql, at, lexis);
      tokens.push(token);
      at = end;
    }
  }
  return tokens;
}

interface Read {
  readonly token: Token;
  readonly end: number;
}

function tokenAt(sql: string, at: number, lexis: Lexis): Read {
  const char = sql[at] ?? "";
  if (lexis.texts.includes(char)) return textAt(sql, at, char, lexis);
  if (lexis.names.includes(char)) return quotedAt(sql, at, char === "[" ? "]" : char, "name", undefined);
  const parameter = match(PARAMETER, sql, at);
  if (parameter) return { token: { kind: "parameter", text: parameter.slice(1) }, end: at + parameter.length };
  const word = match(WORD, sql, at);
  if (word && isPrefix(word, sql[at + 1], lexis)) return textAt(sql, at + 1, sql[at + 1] ?? "", lexis);
  if (word) return { token: { kind: "word", text: word }, end: plainEnd(sql, at + word.length, lexis) };
  const number = match(NUMBER, sql, at);
  if (number) return { token: { kind: "number", text: number }, end: numberEnd(sql, at, number) };
  const symbol = [...lexis.operators, ...SYMBOLS].find((one) => sql.startsWith(one, at));
  if (symbol) return { token: { kind: "symbol", text: symbol }, end: at + symbol.length };
  throw new Refusal(rejected(sql.slice(at, at + 10), "questions have no such character"));
}

/** Whether a text begins behind this letter that is as the same text without it. */
function isPrefix(word: string, quote: string | undefined, { texts, textPrefixes = "" }: Lexis): boolean {
  return word.length === 1 && textPrefixes.includes(word.toUpperCase()) && texts.includes(quote ?? " ");
}

/** `E'…'`, `N'…'` and `_utf8'…'` are read by rules of their own, so they are refused. */
function plainEnd(sql: string, end: number, { texts }: Lexis): number {
  if (texts.includes(sql[end] ?? " ")) throw new Refusal(rejected("a text with a prefix", "write plain text"));
  return end;
}

/** `2x` is a name in some engines, and a number with an alias in others. */
function numberEnd(sql: string, at: number, number: string): number {
  const end = at + number.length;
  if (match(WORD, sql, end))
    throw new Refusal(rejected(sql.slice(at, end + 5), "put names that begin with a digit in quotes"));
  return end;
}

function textAt(sql: string, at: number, quote: string, { backslashes, codeEscapes, tripleQuotes }: Lexis): Read {
  if (tripleQuotes && sql.startsWith(quote.repeat(3), at))
    throw new Refusal(rejected(quote.repeat(3), "write plain text, in one pair of quotes"));
  return quotedAt(sql, at, quote, "text", backslashes ? (char) => unescaped(char, codeEscapes) : undefined);
}

function quotedAt(
  sql: string,
  at: number,
  close: string,
  kind: "text" | "name",
  readEscape: ((char: string) => string) | undefined,
): Read {
  let text = "";
  for (let next = at + 1; next < sql.length; next++) {
    const char = sql[next] ?? "";
    if (char === close && sql[next + 1] === close) text += sql[++next];
    else if (char === close) return { token: { kind, text: checkedText(text) }, end: next + 1 };
    else if (char === "\\" && readEscape) text += readEscape(sql[++next] ?? "");
    else text += char;
  }
  throw new Refusal({ kind: "invalid", error: `A quote (${sql[at]}) is not closed.` });
}

function checkedText(text: string): string {
  if (text.includes("\0")) throw new Refusal({ kind: "invalid", error: "A statement has no NUL characters." });
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", Z: "\x1a", "0": "\0" };

/** `\%` and `\_` keep their backslash, which LIKE reads. */
function unescaped(char: string, codeEscapes = false): string {
  if (codeEscapes && /[xXuU0-7]/.test(char))
    throw new Refusal(rejected(`\\${char}`, "write the character itself in a text, not its code"));
  return char === "%" || char === "_" ? `\\${char}` : (ESCAPES[char] ?? char);
}

/** The end of white space and comments. Comments that engines run (`/*!`) and hints (`/*+`) are refused. */
function afterBlank(sql: string, at: number, { hashComments, spacedDashes }: Lexis): number {
  const space = match(/\s+/y, sql, at);
  if (space) return at + space.length;
  if (sql.startsWith("--", at) && (!spacedDashes || /^\s?$/.test(sql[at + 2] ?? ""))) return lineEnd(sql, at);
  if (hashComments && sql[at] === "#") return lineEnd(sql, at);
  if (!sql.startsWith("/*", at)) return at;
  const end = sql.indexOf("*/", at + 2);
  const inside = sql.slice(at + 2, end < 0 ? undefined : end);
  if (end < 0 || /^[!+M]/.test(inside) || inside.includes("/*"))
    throw new Refusal(rejected("this comment", "engines read it in different ways"));
  return end + 2;
}

function lineEnd(sql: string, at: number): number {
  const end = sql.slice(at).search(/[\r\n]/);
  return end < 0 ? sql.length : at + end;
}

function match(pattern: RegExp, sql: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(sql)?.[0];
}

/** Puts what stands in parentheses and brackets together. */
export function grouped(tokens: readonly Token[]): readonly Item[] {
  const open: { readonly bracket: "(" | "["; readonly items: Item[] }[] = [];
  let items: Item[] = [];
  const outermost = items;
  for (const token of tokens) {
    if (isSymbol(token, "(", "[")) {
      const inner: Item[] = [];
      open.push({ bracket: token.text as "(" | "[", items });
      items.push({ kind: "group", open: token.text as "(" | "[", items: inner });
      items = inner;
    } else if (isSymbol(token, ")", "]")) {
      const outer = open.pop();
      if (!outer || (outer.bracket === "(") !== (token.text === ")")) throw unbalanced();
      items = outer.items;
    } else items.push(token);
  }
  if (open.length > 0) throw unbalanced();
  return outermost;
}

function unbalanced(): Refusal {
  return new Refusal({ kind: "invalid", error: "The parentheses do not match." });
}

/** Whether this is one of these symbols. */
export function isSymbol(item: Item | undefined, ...symbols: readonly string[]): boolean {
  return item?.kind === "symbol" && symbols.includes(item.text);
}

/** Whether this is one of these words, which are in capitals. */
export function isWord(item: Item | undefined, ...words: readonly string[]): boolean {
  return item?.kind === "word" && words.includes(item.text.toUpperCase());
}
