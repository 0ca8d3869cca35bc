import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** A condition of an `{% if … %}` block, read once. Names without a value are nothing, never an error. */
export type Condition = (values: JsonObject) => boolean;

/** Names of the channel: apps write their values as `API` or `Voice`. */
const ANY_CASE: ReadonlySet<string> = new Set(["channel", "modality"]);

/** Reads a condition; undefined when it is none. `and`, `or`, `not`, comparisons, `in`, `is`, parentheses (TURN-35). */
export function parseCondition(text: string): Condition | undefined {
  const tokens = text.length > MAX_LENGTH ? undefined : tokenise(text);
  if (!tokens || tokens.length === 0) return undefined;
  const reader = new ConditionReader(tokens);
  const term = reader.readOr();
  return term && reader.atEnd ? (values) => isTruthy(term.value(values)) : undefined;
}

interface Token {
  readonly kind: "word" | "text" | "number" | "sign";
  readonly text: string;
}

const TOKEN =
  /\s*(?:(?<number>-?\d+(?:\.\d+)?)|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<word>[A-Za-z_][\w-]*(?:\.[\w-]+)*)|(?<sign>==|!=|<=|>=|&&|\|\||[<>!()[\],]))\s*/y;

function tokenise(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) return undefined;
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    tokens.push({ kind: kind as Token["kind"], text: found ?? "" });
  }
  return tokens;
}

/** A part of a condition: its value, and whether it is compared without case. */
interface Term {
  readonly value: (values: JsonObject) => JsonValue | undefined;
  readonly anyCase?: boolean;
}

const SYNONYMS: Readonly<Record<string, string>> = { "&&": "and", "||": "or", "!": "not" };
const CONSTANTS: Readonly<Record<string, JsonValue>> = { true: true, false: false, none: null, null: null };
const COMPARISONS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "in", "is"]);

/** Characters of a condition, at most. */
const MAX_LENGTH = 10_000;

/** Parentheses and lists in one another, at most: they are read and evaluated by recursion. */
const MAX_LEVELS = 100;

/** Recursive descent; every reader answers undefined for what it cannot read. */
class ConditionReader {
  readonly #tokens: readonly Token[];
  #position = 0;
  #level = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get atEnd(): boolean {
    return this.#position === this.#tokens.length;
  }

  readOr(): Term | undefined {
    return this.#chain("or", () => this.#chain("and", () => this.#readNot()));
  }

  #chain(word: "or" | "and", read: () => Term | undefined): Term | undefined {
    const terms = [read()];
    while (this.#take(word)) terms.push(read());
    const known = terms.filter((term) => term !== undefined);
    if (known.length < terms.length || known.length === 1) return known.length < terms.length ? undefined : known[0];
    const holds = (values: JsonObject) => (term: Term) => isTruthy(term.value(values));
    return { value: (values) => (word === "or" ? known.some(holds(values)) : known.every(holds(values))) };
  }

  #readNot(): Term | undefined {
    let count = 0;
    while (this.#take("not")) count++;
    const term = this.#readComparison();
    if (!term || count === 0) return term;
    const expected = count % 2 === 0;
    return { value: (values) => isTruthy(term.value(values)) === expected };
  }

  #readComparison(): Term | undefined {
    const left = this.#readPrimary();
    const negated = this.#peek() === "not" && this.#take("not");
    const operator = this.#peek();
    if (!left || operator === undefined || !COMPARISONS.has(operator)) return negated ? undefined : left;
    this.#position++;
    const opposite = (operator === "is" && this.#take("not")) || negated;
    if (operator === "is" && this.#take("defined")) {
      return { value: (values) => isDefined(left.value(values)) !== opposite };
    }
    const right = this.#readPrimary();
    if (!right) return undefined;
    const fold = left.anyCase || right.anyCase ? lowerCase : (value: JsonValue | undefined) => value;
    return {
      value: (values) => compare(operator, fold(left.value(values)), fold(right.value(values))) !== opposite,
    };
  }

  #readPrimary(): Term | undefined {
    if (this.#level === MAX_LEVELS) return undefined;
    this.#level++;
    const term = this.#readToken();
    this.#level--;
    return term;
  }

  #readToken(): Term | undefined {
    const token = this.#tokens[this.#position];
    if (!token) return undefined;
    this.#position++;
    if (token.kind === "number") return constant(Number(token.text));
    if (token.kind === "text") return constant(token.text.slice(1, -1).replaceAll(/\\(.)/gs, "$1"));
    if (token.kind === "word") return wordTerm(token.text);
    if (token.text === "[") return this.#readList();
    if (token.text !== "(") return undefined;
    const inner = this.readOr();
    return this.#take(")") ? inner : undefined;
  }

  #readList(): Term | undefined {
    const items: Term[] = [];
    while (!this.#take("]")) {
      const item = this.#readPrimary();
      if (!item || (!this.#take(",") && this.#peek() !== "]")) return undefined;
      items.push(item);
    }
    return { value: (values) => items.map((item) => item.value(values) ?? null) };
  }

  #peek(): string | undefined {
    const token = this.#tokens[this.#position];
    if (!token || token.kind === "text" || token.kind === "number") return undefined;
    const text = token.kind === "word" ? token.text.toLowerCase() : token.text;
    return SYNONYMS[text] ?? text;
  }

  #take(expected: string): boolean {
    if (this.#peek() !== expected) return false;
    this.#position++;
    return true;
  }
}

function constant(value: JsonValue): Term {
  return { value: () => value };
}

function wordTerm(word: string): Term {
  const known = CONSTANTS[word.toLowerCase()];
  if (known !== undefined) return constant(known);
  const path = word.split(".");
  return { value: (values) => valueAt(values, path), anyCase: ANY_CASE.has(word) };
}

/** The value at a path of member names; undefined where there is none. */
export function valueAt(values: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = values;
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return value;
}

function compare(operator: string, left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  switch (operator) {
    case "==":
    case "is":
      return isDeepStrictEqual(left ?? null, right ?? null);
    case "!=":
      return !isDeepStrictEqual(left ?? null, right ?? null);
    case "in":
      if (Array.isArray(right)) return right.some((item) => isDeepStrictEqual(item, left));
      return typeof right === "string" && typeof left === "string" && right.includes(left);
    default:
      return ordered(operator, left, right);
  }
}

function ordered(operator: string, left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  const comparable =
    (typeof left === "number" && typeof right === "number") || (typeof left === "string" && typeof right === "string");
  if (!comparable) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function lowerCase(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => lowerCase(item) ?? null);
  return typeof value === "string" ? value.toLowerCase() : value;
}

function isDefined(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is true as in Python: null, false, zero and empty values are not. */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}
