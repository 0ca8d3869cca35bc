import { nextPiece, type SqlToken, sqlTokens } from "./sql-tokens.ts";

/** Puts values in place of names, and makes a division by zero give nothing, as it does in a ratio. */
export function safeArithmetic(expression: string, substitute: (name: string) => string | undefined): string {
  return safeDivisions(sqlTokens(expression))
    .map(({ kind, text }) => (kind === "word" ? (substitute(text) ?? text) : text))
    .join("");
}

/** `a / b` becomes `a / NULLIF(b, 0)`; PostgreSQL would fail, DuckDB would give infinity. */
function safeDivisions(tokens: readonly SqlToken[]): readonly SqlToken[] {
  const at = tokens.findIndex(({ text }, index) => text === "/" && needsGuard(tokens, index));
  if (at < 0) return tokens;
  const start = nextPiece(tokens, at + 1);
  const end = operandEnd(tokens, start);
  const operand = safeDivisions(tokens.slice(start, end));
  return [...tokens.slice(0, at), symbol("/ NULLIF("), ...operand, symbol(", 0)"), ...safeDivisions(tokens.slice(end))];
}

const symbol = (text: string): SqlToken => ({ kind: "symbol", text });

/** A number other than zero, or what is guarded already, needs none. */
function needsGuard(tokens: readonly SqlToken[], at: number): boolean {
  const operand = tokens[nextPiece(tokens, at + 1)];
  if (!operand) return false;
  return operand.kind !== "number" && operand.text.toLowerCase() !== "nullif";
}

/** Behind a name, a call or something in parentheses. */
function operandEnd(tokens: readonly SqlToken[], start: number): number {
  const isCall = tokens[start]?.kind === "word" && tokens[nextPiece(tokens, start + 1)]?.text === "(";
  const open = isCall ? nextPiece(tokens, start + 1) : start;
  if (tokens[open]?.text !== "(") return start + 1;
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { text = "" } = tokens[at] ?? {};
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}
