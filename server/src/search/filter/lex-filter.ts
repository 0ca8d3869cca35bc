import { SearchError } from "../contract.ts";

/** A token of a filter over documents. */
export interface FilterToken {
  readonly kind: "word" | "string" | "sign" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|(<=|>=|!=|[<>=:(),])|(-)(?=[\s(A-Za-z_])|([^\s<>=!:(),"']+))/y;
/** A longer filter is no one's. */
const MAX_LENGTH = 10_000;

/** The tokens of a filter, an `end` last. Throws `SearchError`, naming the position. */
export function lexFilter(filter: string): readonly FilterToken[] {
  if (filter.length > MAX_LENGTH) throw new SearchError(`The filter is longer than ${MAX_LENGTH} characters.`);
  const text = filter.trimEnd();
  const tokens: FilterToken[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (!match) throw new SearchError(`The filter cannot be read at character ${at + 1}: ${text.slice(at, at + 20)}`);
    tokens.push(tokenOf(match, at + match[0].length - match[0].trimStart().length));
  }
  return [...tokens, { kind: "end", text: "", at: text.length }];
}

function tokenOf([, double, single, sign, minus, word]: RegExpExecArray, at: number): FilterToken {
  const quoted = double ?? single;
  if (quoted !== undefined) return { kind: "string", text: quoted.replace(/\\([\s\S])/g, "$1"), at };
  if (sign !== undefined || minus !== undefined) return { kind: "sign", text: sign ?? "-", at };
  return { kind: "word", text: word ?? "", at };
}
