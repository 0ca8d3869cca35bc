import { sqlTokens } from "./sql-tokens.ts";

/** Puts values in place of names. */
export function substituteNames(expression: string, substitute: (name: string) => string | undefined): string {
  return sqlTokens(expression)
    .map(({ kind, text }) => (kind === "word" ? (substitute(text) ?? text) : text))
    .join("");
}
