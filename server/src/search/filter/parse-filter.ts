import type { JsonObject } from "#base";
import { SearchError } from "../contract.ts";
import { anyOf, compare, geoDistance, inRange } from "./conditions.ts";

/** Whether a document matches, by its metadata. */
type DocumentFilter = (data: JsonObject) => boolean;

const MAX_DEPTH = 40;
const COMPARATORS: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">=", ":"]);

/**
 * Parses a filter of Vertex AI Search: `field: ANY("a", "b")`, `field: IN(1, 5e)` with `i` and `e` for inclusive and exclusive bounds
 * and `*` for none, comparisons with numbers and dates, `GEO_DISTANCE(field, latitude, longitude, metres)`, joined by AND
 * and OR (AND binds tighter), negated by NOT or a minus, in parentheses. `field = "x"` is accepted, too, as connectors write it.
 * An empty filter matches everything. Throws `SearchError`, which names the position.
 */
export function parseDocumentFilter(filter: string): DocumentFilter {
  if (filter.trim() === "") return () => true;
  return new Parser(lexFilter(filter)).whole();
}

class Parser {
  readonly #tokens: readonly FilterToken[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly FilterToken[]) {
    this.#tokens = tokens;
  }

  whole(): DocumentFilter {
    const filter = this.#either();
    if (this.#peek().kind !== "end") throw this.#unexpected();
    return filter;
  }

  #either(): DocumentFilter {
    if (++this.#depth > MAX_DEPTH) throw new SearchError("The filter is nested too deeply.");
    const parts = [this.#both()];
    while (this.#takeWord("OR")) parts.push(this.#both());
    this.#depth--;
    return (data) => parts.some((part) => part(data));
  }

  #both(): DocumentFilter {
    const parts = [this.#factor()];
    while (this.#takeWord("AND")) parts.push(this.#factor());
    return (data) => parts.every((part) => part(data));
  }

  #factor(): DocumentFilter {
    if (this.#takeWord("NOT") || this.#takeSign("-")) {
      const inner = this.#factor();
      return (data) => !inner(data);
    }
    if (!this.#takeSign("(")) return this.#condition();
    const inner = this.#either();
    this.#expect(")");
    return inner;
  }

  #condition(): DocumentFilter {
    const field = this.#value();
    if (field === "GEO_DISTANCE" && this.#takeSign("(")) return this.#geoDistance();
    const comparator = this.#peek();
    if (comparator.kind !== "sign" || !COMPARATORS.has(comparator.text)) throw this.#unexpected();
    this.#index++;
    const value = this.#value();
    if (!this.#takeSign("(")) return compare(field, comparator.text, value);
    const values = this.#list();
    if (comparator.text === ":" && value === "ANY") return anyOf(field, values);
    if (comparator.text === ":" && value === "IN") return inRange(field, values);
    throw new SearchError(`The filter has no function '${value}' after '${comparator.text}'; there are ANY and IN.`);
  }

  #geoDistance(): DocumentFilter {
    const [field = "", ...rest] = this.#list();
    const comparator = this.#peek();
    const limited = comparator.kind === "sign" && ["<", "<="].includes(comparator.text);
    if (limited) this.#index++;
    return geoDistance(field, limited ? [...rest, this.#value()] : rest);
  }

  #list(): readonly string[] {
    const values: string[] = [];
    do values.push(this.#value());
    while (this.#takeSign(","));
    this.#expect(")");
    return values;
  }

  #value(): string {
    const { kind, text } = this.#peek();
    if (kind !== "word" && kind !== "string") throw this.#unexpected();
    this.#index++;
    return text;
  }

  #peek(): FilterToken {
    return this.#tokens[this.#index] ?? { kind: "end", text: "", at: 0 };
  }

  #takeWord(word: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "word" || text !== word) return false;
    this.#index++;
    return true;
  }

  #takeSign(sign: string): boolean {
    const { kind, text } = this.#peek();
    if (kind !== "sign" || text !== sign) return false;
    this.#index++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#takeSign(sign)) throw this.#unexpected();
  }

  #unexpected(): SearchError {
    const { kind, text, at } = this.#peek();
    if (kind === "end") return new SearchError("The filter ends too early.");
    return new SearchError(`The filter cannot be read at character ${at + 1}: '${text}' is not expected there.`);
  }
}

/** A token of a filter. */
interface FilterToken {
  readonly kind: "word" | "string" | "sign" | "end";
  readonly text: string;
  readonly at: number;
}

const TOKEN =
  /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|(<=|>=|!=|[<>=:(),])|(-)(?=[\s(A-Za-z_])|([^\s<>=!:(),"']+))/y;
/** Limit of a filter, characters. */
const MAX_LENGTH = 10_000;

/** The tokens of a filter, with an `end` token last. Throws `SearchError`, which names the position. */
function lexFilter(filter: string): readonly FilterToken[] {
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
