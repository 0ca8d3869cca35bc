import type { JsonObject } from "#base";
import { SearchError } from "../contract.ts";
import { compare, distance, isAnyOf, isIn } from "./conditions.ts";
import { type FilterToken, lexFilter } from "./lex-filter.ts";

/** Whether a document counts, by its data. */
export type DocumentFilter = (data: JsonObject) => boolean;

const MAX_DEPTH = 40;
const COMPARATORS: ReadonlySet<string> = new Set(["=", "!=", "<", "<=", ">", ">=", ":"]);

/**
 * Reads a filter of Vertex AI Search: `field: ANY("a", "b")`, `field: IN(1, 5e)` with `i` and `e` for bounds that count or do
 * not and `*` for none, comparisons with numbers and dates, `GEO_DISTANCE(field, latitude, longitude, metres)`, joined by AND
 * and OR (AND binds tighter), negated by NOT or a minus, in parentheses. `field = "x"` is read as well, as connectors write it.
 * An empty filter lets everything through. Throws `SearchError`, naming the position.
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
    if (field === "GEO_DISTANCE" && this.#takeSign("(")) return this.#distance();
    const comparator = this.#peek();
    if (comparator.kind !== "sign" || !COMPARATORS.has(comparator.text)) throw this.#unexpected();
    this.#index++;
    const value = this.#value();
    if (!this.#takeSign("(")) return compare(field, comparator.text, value);
    const values = this.#list();
    if (comparator.text === ":" && value === "ANY") return isAnyOf(field, values);
    if (comparator.text === ":" && value === "IN") return isIn(field, values);
    throw new SearchError(`The filter has no function '${value}' after '${comparator.text}'; there are ANY and IN.`);
  }

  #distance(): DocumentFilter {
    const [field = "", ...rest] = this.#list();
    const comparator = this.#peek();
    const limited = comparator.kind === "sign" && ["<", "<="].includes(comparator.text);
    if (limited) this.#index++;
    return distance(field, limited ? [...rest, this.#value()] : rest);
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
