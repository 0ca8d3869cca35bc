import { type Token, tokenize, UntranslatableError } from "../../googlesql/tokens.ts";
import { type Rejection, rejected } from "../../statement-check/statement-check.ts";
import {
  AFTER_COLUMN_NAME,
  ALLOWED_FUNCTIONS,
  ALLOWED_NAMESPACES,
  BEFORE_PARENTHESIS,
  RESERVED_KEYWORDS,
  STATEMENT_KEYWORDS,
} from "./allowed.ts";

/**
 * Checks the tokens of a statement: one SELECT whose every call is on a list. Undefined where it is allowed. The tables are checked by
 * BigQuery's dry run; this check keeps from BigQuery what would reach further than tables.
 */
export function checkStatement(sql: string): Rejection | undefined {
  let tokens: readonly Token[];
  try {
    // GoogleSQL ends a comment at \r or \n, the tokenizer at \n.
    tokens = tokenize(sql.replace(/\r\n?/g, "\n"));
  } catch (error) {
    if (error instanceof UntranslatableError) return rejected(error.construct, error.message);
    throw error;
  }
  const first = tokens.find((token) => !isMark(token, "("));
  if (!isWord(first, "SELECT", "WITH"))
    return rejected(first?.text ?? "an empty statement", "only a SELECT answers a question");
  for (const at of tokens.keys()) {
    const rejection = checkToken(tokens, at);
    if (rejection) return rejection;
  }
  return undefined;
}

function checkToken(tokens: readonly Token[], at: number): Rejection | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  if (isMark(token, ";")) return rejected(";", "a question is one statement without a semicolon");
  if (isMark(token, "|") && tokens[at + 1]?.text.startsWith(">")) return rejected("|>", "pipe syntax is not allowed");
  if (token.kind === "quoted-name" && /[\\*]/.test(token.text))
    return rejected(token.text, "names must be written without escapes and wildcards");
  if ((token.kind === "word" || token.kind === "quoted-name") && /(^|\.)information_schema(\.|$)/i.test(token.text))
    return rejected("INFORMATION_SCHEMA", "it describes the server, not data");
  const field = isMark(tokens[at - 1], ".");
  if (token.kind === "word" && !field && STATEMENT_KEYWORDS.has(token.text.toUpperCase()) && !isColumn(tokens, at))
    return rejected(token.text.toUpperCase(), "a question only reads tables");
  return isMark(tokens[at + 1], "(") ? checkCall(tokens, at, field) : undefined;
}

/** `SELECT load, update FROM …`: a keyword is a column name where the next token can only follow a name. */
function isColumn(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || RESERVED_KEYWORDS.has(token.text.toUpperCase())) return false;
  if (!next) return true;
  // After WITH, `… ) DELETE FROM` is a statement.
  if (isWord(next, "FROM")) return !isMark(tokens[at - 1], ")");
  return next.kind === "word"
    ? AFTER_COLUMN_NAME.has(next.text.toUpperCase())
    : next.kind === "mark" && next.text !== "(";
}

/** Any name before a parenthesis is a call. */
function checkCall(tokens: readonly Token[], at: number, field: boolean): Rejection | undefined {
  const token = tokens[at];
  if (token?.kind === "quoted-name") return rejected(token.text, "user-defined functions are not allowed");
  if (token?.kind !== "word") return undefined;
  const name = token.text.toUpperCase();
  if (!field) {
    const known = ALLOWED_FUNCTIONS.has(name) || BEFORE_PARENTHESIS.has(name);
    return known ? undefined : rejected(name, "this function is not on the list of allowed functions");
  }
  const namespace = tokens[at - 2];
  const safe = namespace?.kind === "word" && ALLOWED_NAMESPACES.has(namespace.text.toUpperCase());
  if (safe && !isMark(tokens[at - 3], ".") && ALLOWED_FUNCTIONS.has(name)) return undefined;
  return rejected(`${namespace?.text ?? ""}.${name}`, "this function is not on the list of allowed functions");
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === "word" && words.includes(token.text.toUpperCase());
}
