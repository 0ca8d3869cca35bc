import { type SqlToken, sqlTokens } from "./sql-tokens.ts";

/** A name of an expression, with the name before its dot. */
interface ColumnName {
  readonly qualifier?: string;
  readonly name: string;
}

/** Replaces names that may be columns: `replace` gives the new text, or undefined to leave a name as it is. Calls are no names. */
export function replaceNames(text: string, replace: (name: ColumnName) => string | undefined): string {
  const tokens = sqlTokens(text);
  let written = "";
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as SqlToken;
    const [dot, second, behind] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
    if (
      isName(token) &&
      dot?.text === "." &&
      second &&
      isName(second) &&
      behind?.text !== "(" &&
      behind?.text !== "."
    ) {
      written += replace({ qualifier: bare(token), name: bare(second) }) ?? `${token.text}.${second.text}`;
      at += 2;
    } else if (isName(token) && !isCall(tokens, at) && dot?.text !== "." && tokens[at - 1]?.text !== ".") {
      written += replace({ name: bare(token) }) ?? token.text;
    } else written += token.text;
  }
  return written;
}

/** The columns that an expression names, in its order, each as often as it stands there. */
export function namesOf(text: string): readonly ColumnName[] {
  const found: ColumnName[] = [];
  replaceNames(text, (name) => void found.push(name));
  return found;
}

function isName({ kind }: SqlToken): boolean {
  return kind === "word" || kind === "quoted";
}

function isCall(tokens: readonly SqlToken[], at: number): boolean {
  let next = at + 1;
  while (tokens[next]?.kind === "space") next++;
  return tokens[next]?.text === "(";
}

/** A name without its quotes. */
function bare({ kind, text }: SqlToken): string {
  return kind === "quoted" ? text.slice(1, -1).replaceAll('""', '"') : text;
}
