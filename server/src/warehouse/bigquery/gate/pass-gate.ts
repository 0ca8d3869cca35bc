import { type Token, tokenize } from "../../googlesql/tokens.ts";
import { Untranslatable } from "../../googlesql/untranslatable.ts";
import {
  AFTER_A_NAME,
  ALLOWED_FUNCTIONS,
  ALLOWED_NAMESPACES,
  BEFORE_BRACKETS,
  REFUSED_WORDS,
  RESERVED_WORDS,
} from "./allowed.ts";

/** A construct that a question has no use for. */
export interface Refusal {
  readonly kind: "refused";
  readonly construct: string;
  readonly reason: string;
}

/**
 * The first wall before BigQuery: one SELECT whose every call is on a list. Undefined where the statement passes. What its tables
 * are says BigQuery's own dry run, the second wall; this one keeps from it what would reach further than tables.
 */
export function refusalOf(sql: string): Refusal | undefined {
  let tokens: readonly Token[];
  try {
    // GoogleSQL ends a comment at either end of a line, the tokenizer at one.
    tokens = tokenize(sql.replace(/\r\n?/g, "\n"));
  } catch (error) {
    if (error instanceof Untranslatable) return refused(error.construct, error.message);
    throw error;
  }
  const first = tokens.find((token) => !isMark(token, "("));
  if (!isWord(first, "SELECT", "WITH"))
    return refused(first?.text ?? "an empty statement", "only a SELECT answers a question");
  for (const at of tokens.keys()) {
    const refusal = refusalAt(tokens, at);
    if (refusal) return refusal;
  }
  return undefined;
}

function refusalAt(tokens: readonly Token[], at: number): Refusal | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  if (isMark(token, ";")) return refused(";", "a question is one statement without a semicolon");
  if (isMark(token, "|") && tokens[at + 1]?.text.startsWith(">")) return refused("|>", "pipes are not read here");
  if (token.kind === "quoted-name" && /[\\*]/.test(token.text))
    return refused(token.text, "names are written out, without escapes and wildcards");
  if ((token.kind === "word" || token.kind === "quoted-name") && /(^|\.)information_schema(\.|$)/i.test(token.text))
    return refused("INFORMATION_SCHEMA", "it tells of the server, not of data");
  const field = isMark(tokens[at - 1], ".");
  if (token.kind === "word" && !field && REFUSED_WORDS.has(token.text.toUpperCase()) && !isColumn(tokens, at))
    return refused(token.text.toUpperCase(), "a question only reads tables");
  return isMark(tokens[at + 1], "(") ? callRefusal(tokens, at, field) : undefined;
}

/** `SELECT load, update FROM …`: a word of statements is a column's name where what follows can only follow a name. */
function isColumn(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || RESERVED_WORDS.has(token.text.toUpperCase())) return false;
  if (!next) return true;
  // What begins with WITH may go on as `… ) DELETE FROM`.
  if (isWord(next, "FROM")) return !isMark(tokens[at - 1], ")");
  return next.kind === "word" ? AFTER_A_NAME.has(next.text.toUpperCase()) : next.kind === "mark" && next.text !== "(";
}

/** A name before a bracket is a call, whatever it is called. */
function callRefusal(tokens: readonly Token[], at: number, field: boolean): Refusal | undefined {
  const token = tokens[at];
  if (token?.kind === "quoted-name") return refused(token.text, "a function of its own may do anything");
  if (token?.kind !== "word") return undefined;
  const name = token.text.toUpperCase();
  if (!field) {
    const known = ALLOWED_FUNCTIONS.has(name) || BEFORE_BRACKETS.has(name);
    return known ? undefined : refused(name, "this function is not on the list of what a question may call");
  }
  const namespace = tokens[at - 2];
  const safe = namespace?.kind === "word" && ALLOWED_NAMESPACES.has(namespace.text.toUpperCase());
  if (safe && !isMark(tokens[at - 3], ".") && ALLOWED_FUNCTIONS.has(name)) return undefined;
  return refused(`${namespace?.text ?? ""}.${name}`, "this function is not on the list of what a question may call");
}

function refused(construct: string, reason: string): Refusal {
  return { kind: "refused", construct, reason };
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toUpperCase());
}
