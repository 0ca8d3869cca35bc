import type { Comparison } from "#warehouse";
import type { ConditionTemplate, ValueTemplate } from "./row-template.ts";

/** A condition of a rule that cannot be read; the message says where. */
export class ConditionFault extends Error {
  override readonly name = "ConditionFault";
}

const TOKEN =
  /\s*(?:(?<text>'(?:[^']|'')*')|(?<number>-?\d+(?:\.\d+)?)|(?<name>"(?:[^"]|"")+"|`[^`]+`)|(?<caller>@\w+(?:\.[\w-]+)*)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<mark><=|>=|<>|!=|[=<>(),]))/uy;

interface Token {
  readonly kind: "text" | "number" | "name" | "caller" | "word" | "mark";
  readonly text: string;
}

const KEYWORDS = /^(AND|OR|NOT|IN|IS|NULL|TRUE|FALSE)$/i;
const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  ">=": "<",
  ">": "<=",
  "<=": ">",
};

/**
 * Reads a condition over the columns of one table: comparisons with texts, numbers, TRUE and FALSE, and with what is known of the caller (`@email`, `@principal`,
 * `@claims.region`), IN, IS NULL, AND, OR, NOT. The same condition is written for every engine. Throws `ConditionFault`.
 */
export function readCondition(text: string): ConditionTemplate {
  const reader = createReader(text);
  const condition = readAny(reader, false);
  if (reader.peek()) throw reader.unexpected("AND, OR or the end");
  return condition;
}

type Reader = ReturnType<typeof createReader>;

function createReader(text: string) {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = (): Token | undefined => tokens[at];
  const isWord = (word: string) => peek()?.kind === "word" && peek()?.text.toUpperCase() === word;
  const isMark = (mark: string) => peek()?.kind === "mark" && peek()?.text === mark;
  const take = (found: boolean) => {
    if (found) at++;
    return found;
  };
  const unexpected = (expected: string) =>
    new ConditionFault(`${peek() ? `'${peek()?.text}'` : "its end"} is where ${expected} is expected`);
  return {
    peek,
    unexpected,
    next: () => tokens[at++],
    takeWord: (word: string) => take(isWord(word)),
    takeMark: (mark: string) => take(isMark(mark)),
    requireMark(mark: string) {
      if (!take(isMark(mark))) throw unexpected(`'${mark}'`);
    },
  };
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const written = text.trimEnd();
  for (let at = 0; at < written.length; ) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(written);
    if (!found?.groups) throw new ConditionFault(`'${written.slice(at).trim().slice(0, 20)}' cannot be read`);
    const [kind, token = ""] = Object.entries(found.groups).find(([, value]) => value !== undefined) ?? [];
    tokens.push({ kind: kind as Token["kind"], text: token });
    at = TOKEN.lastIndex;
  }
  return tokens;
}

/** `a OR b`; negated, AND of the negated parts. */
function readAny(reader: Reader, negated: boolean): ConditionTemplate {
  const parts = [readAll(reader, negated)];
  while (reader.takeWord("OR")) parts.push(readAll(reader, negated));
  return joined(negated ? "all" : "any", parts);
}

function readAll(reader: Reader, negated: boolean): ConditionTemplate {
  const parts = [readPart(reader, negated)];
  while (reader.takeWord("AND")) parts.push(readPart(reader, negated));
  return joined(negated ? "any" : "all", parts);
}

function joined(kind: "all" | "any", parts: readonly ConditionTemplate[]): ConditionTemplate {
  const [first] = parts;
  return first && parts.length === 1 ? first : { kind, parts };
}

function readPart(reader: Reader, negated: boolean): ConditionTemplate {
  if (reader.takeWord("NOT")) return readPart(reader, !negated);
  if (!reader.takeMark("(")) return readComparison(reader, negated);
  const inner = readAny(reader, negated);
  reader.requireMark(")");
  return inner;
}

function readComparison(reader: Reader, negated: boolean): ConditionTemplate {
  const column = readColumn(reader);
  if (reader.takeWord("IS")) {
    const not = reader.takeWord("NOT");
    if (!reader.takeWord("NULL")) throw reader.unexpected("NULL");
    return { kind: "null", column, negated: not !== negated };
  }
  const not = reader.takeWord("NOT");
  if (reader.takeWord("IN")) return { kind: "in", column, negated: not !== negated, values: readList(reader) };
  const operator = reader.peek();
  if (not || operator?.kind !== "mark" || !/^(<=|>=|<>|!=|[=<>])$/.test(operator.text))
    throw reader.unexpected("=, <>, <, <=, >, >=, IN or IS NULL");
  reader.next();
  const own = (operator.text === "!=" ? "<>" : operator.text) as Comparison;
  return { kind: "compare", column, operator: negated ? OPPOSITES[own] : own, value: readValue(reader) };
}

function readColumn(reader: Reader): string {
  const token = reader.peek();
  if (token?.kind === "name") {
    reader.next();
    return token.text.slice(1, -1).replaceAll('""', '"');
  }
  if (token?.kind !== "word" || KEYWORDS.test(token.text)) throw reader.unexpected("a column");
  reader.next();
  return token.text;
}

/** `(a, b)`, or one value: a claim that is a list. */
function readList(reader: Reader): readonly ValueTemplate[] {
  if (!reader.takeMark("(")) return [readValue(reader)];
  const values = [readValue(reader)];
  while (reader.takeMark(",")) values.push(readValue(reader));
  reader.requireMark(")");
  return values;
}

function readValue(reader: Reader): ValueTemplate {
  const token = reader.peek();
  const value = token && valueIn(token);
  if (!value) throw reader.unexpected("a 'text', a number, TRUE, FALSE, @email, @principal or @claims.name");
  reader.next();
  return value;
}

function valueIn({ kind, text }: Token): ValueTemplate | undefined {
  if (kind === "text") return { kind: "value", value: text.slice(1, -1).replaceAll("''", "'") };
  if (kind === "number") return { kind: "value", value: text };
  if (kind === "word" && /^(true|false)$/i.test(text)) return { kind: "value", value: /^true$/i.test(text) };
  if (kind !== "caller") return undefined;
  if (text === "@email") return { kind: "email" };
  if (text === "@principal") return { kind: "principal" };
  const path = /^@claims\.(.+)$/.exec(text)?.[1]?.split(".");
  return path && { kind: "claim", path };
}
