import { rejected } from "../../statement-check/statement-check.ts";
import { JOIN_WORDS, SET_OPERATIONS, WITH_FROM } from "./keywords.ts";
import { Refusal } from "./refusal.ts";
import { type Group, type Item, isSymbol, isWord, type Token } from "./tokens.ts";
import { foldedName, nameOf, type Writer, writeValue } from "./writer.ts";

/** Reads a query in parentheses, and where common table expressions have these names. */
type ReadQuery = (items: readonly Item[], outside: ReadonlySet<string>) => void;

interface Reading {
  readonly writer: Writer;
  readonly readQuery: ReadQuery;
  /** Common table expressions in scope. */
  readonly ctes: ReadonlySet<string>;
}

/** Writes the part of an expression that begins here; returns where the next one begins. */
export function writeExpression(items: readonly Item[], at: number, reading: Reading): number {
  const { writer } = reading;
  const item = items[at];
  if (!item) return at + 1;
  if (item.kind === "group") writeGroup(item, reading);
  else if (item.kind === "symbol") writeSymbol(item, writer);
  else if (item.kind !== "word" && item.kind !== "name") writeValue(item, writer);
  else return writeNamed(items, at, item, reading);
  return at + 1;
}

/** A call, a keyword, or a column. */
function writeNamed(items: readonly Item[], at: number, item: Token, reading: Reading): number {
  const { dialect, written } = reading.writer;
  const next = items[at + 1];
  if (next?.kind === "group" && next.open === "(" && !isSymbol(items[at - 1], ".")) {
    writeCall(item, next, reading);
    return at + 2;
  }
  const upper = item.text.toUpperCase();
  const literalType = item.kind === "word" && next?.kind === "text" ? dialect.literalTypes?.[upper] : undefined;
  if (literalType && next?.kind === "text") {
    written.push(`CAST(${dialect.quoteText(next.text)} AS ${literalType})`);
    return at + 2;
  }
  const isKeyword = item.kind === "word" && dialect.keywords.has(upper);
  if (!isKeyword || isSymbol(next, ".")) return writeColumn(items, at, reading.writer);
  // Some engines read `x IN name` as a table.
  if (isWord(item, "IN")) throw new Refusal(rejected("IN", "a list or a query in parentheses is expected behind it"));
  written.push(dialect.spellings?.[upper] ?? item.text);
  return at + 1;
}

/** Whether an item of a list, within whatever parentheses, is a name and nothing else: `IN ((name))` and `in(1, name)` are tables, too. */
function hasBareName(items: readonly Item[]): boolean {
  const ends = [...items.flatMap((item, at) => (isSymbol(item, ",") ? [at] : [])), items.length];
  return ends.some((end, index) => {
    const part = items.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end);
    const [only] = part;
    if (part.length === 1 && only?.kind === "group") return !isQuery(only.items) && hasBareName(only.items);
    return part.length > 0 && part.every((item) => isNamePart(item) || isSymbol(item, "."));
  });
}

function isNamePart(item: Item | undefined): boolean {
  return item?.kind === "word" || item?.kind === "name";
}

function writeSymbol({ text }: Token, { written }: Writer): void {
  if (text === ";" || text === ".") throw new Refusal(rejected(text, "it is not where a question has one"));
  written.push(text);
}

/** A function, or a keyword before parentheses. */
function writeCall(name: Token, args: Group, reading: Reading): void {
  const { dialect, written } = reading.writer;
  const upper = name.text.toUpperCase();
  if (name.kind === "word" && dialect.functions.has(upper)) {
    // Some engines take a function only where its parenthesis follows at once.
    written.push(`${dialect.spellings?.[upper] ?? name.text}(`);
    writeItems(args.items, reading, WITH_FROM.has(upper));
    written.push(")");
  } else if (name.kind === "word" && dialect.keywords.has(upper)) {
    if (upper === "IN" && dialect.inReadsTables && !isQuery(args.items) && hasBareName(args.items))
      throw new Refusal(rejected("IN (name)", "write a list of values, or a SELECT"));
    written.push(name.text);
    writeGroup(args, reading);
  } else throw new Refusal(rejected(`${name.text}()`, "this function is not on the list of allowed functions"));
}

function writeGroup({ open, items }: Group, reading: Reading): void {
  const { written } = reading.writer;
  written.push(open);
  if (isQuery(items)) reading.readQuery(items, reading.ctes);
  else writeItems(items, reading, false);
  written.push(open === "(" ? ")" : "]");
}

/** Whether a query stands in parentheses, rather than an expression or joined tables. */
export function isQuery(items: readonly Item[]): boolean {
  return isWord(items[0], "SELECT", "WITH") || items.some((item) => isWord(item, ...SET_OPERATIONS));
}

function writeItems(items: readonly Item[], reading: Reading, withFrom: boolean): void {
  if (isQuery(items)) {
    reading.readQuery(items, reading.ctes);
    return;
  }
  for (let at = 0; at < items.length; ) {
    const item = items[at];
    const isDistinct = isWord(item, "FROM") && isWord(items[at - 1], "DISTINCT");
    if (isWord(item, "SELECT", "WITH", "JOIN") || (isWord(item, "FROM") && !withFrom && !isDistinct))
      throw new Refusal(rejected((item as Token).text, "it is not where a question has it"));
    at = writeExpression(items, at, reading);
  }
}

/** `column`, `table.column` or `table.*`. Of a longer name the last two parts count, as tables are known by their alias, or all where columns have fields. */
function writeColumn(items: readonly Item[], from: number, { dialect, written, qualifiers }: Writer): number {
  const { parts, next } = readName(items, from);
  const names = (dialect.nestedFields ? parts : parts.slice(-2)).map((part) => nameOf(part, dialect));
  const isStar = parts.at(-1)?.kind === "symbol";
  const [qualifier] = names;
  if (names.length > 1 && qualifier !== undefined) {
    qualifiers.add(qualifier);
    if (!isStar && /^(next|curr)val$/i.test(names[1] ?? ""))
      throw new Refusal(rejected(names.join("."), "a question counts no sequence on"));
  }
  if (items[next]?.kind === "group" && parts.length > 1 && (items[next] as Group).open === "(")
    throw new Refusal(rejected(`${names.join(".")}()`, "only functions of the engine itself may be called"));
  written.push(names.map((name, at) => (isStar && at === names.length - 1 ? "*" : dialect.quoteName(name))).join("."));
  return next;
}

/** The parts of a dotted name; the last may be a star. */
export function readName(items: readonly Item[], from: number) {
  const parts: Token[] = [];
  let next = from;
  for (;;) {
    const part = items[next];
    const isStar = parts.length > 0 && isSymbol(part, "*");
    if (part?.kind !== "word" && part?.kind !== "name" && !isStar)
      throw new Refusal({ kind: "invalid", error: "A name is expected behind a dot." });
    parts.push(part as Token);
    next++;
    if (isStar || !isSymbol(items[next], ".")) return { parts, next };
    next++;
  }
}

/** Throws for `x.column` where x is neither a table nor a column: engines have objects that are read so. */
export function checkQualifiers({ qualifiers, known }: Writer, columns: ReadonlySet<string>): void {
  for (const name of qualifiers)
    if (!known.has(foldedName(name)) && !columns.has(foldedName(name)))
      throw new Refusal({
        kind: "invalid",
        error: `'${name}' before a dot is no table, alias or column of the question.`,
      });
}

/** Whether a join begins here: LEFT and RIGHT before a parenthesis are functions. */
export function isJoinWord(items: readonly Item[], at: number): boolean {
  return isWord(items[at], ...JOIN_WORDS) && items[at + 1]?.kind !== "group";
}
