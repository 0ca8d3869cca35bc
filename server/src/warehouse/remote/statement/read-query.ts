import { rejected } from "../../statement-check/statement-check.ts";
import { isJoinWord, isQuery, readName, writeExpression } from "./expressions.ts";
import { CLAUSES, SET_OPERATIONS } from "./keywords.ts";
import { writeLimit } from "./limit.ts";
import { Refusal } from "./refusal.ts";
import { type Group, type Item, isSymbol, isWord, type Token } from "./tokens.ts";
import { foldedName, nameOf, tableNamed, type Writer, writeDefinedName } from "./writer.ts";

/** Where a reader is in a query. */
type Place =
  /** A SELECT or a query in parentheses comes next. */
  | "branch"
  | "columns"
  /** A table comes next. */
  | "table"
  /** Behind a table: an alias, or what joins another one. */
  | "joined"
  /** Behind a table and its alias: what joins another one. */
  | "aliased"
  /** A condition of a join. */
  | "condition"
  /** Behind FROM. */
  | "rest";

/** Reads queries, and writes them anew: each table by its whole name, each other name in quotes. Throws `Refusal`. */
export function readStatement(items: readonly Item[], writer: Writer): void {
  readQuery(items, new Set(), writer, "branch");
}

/** `recursive`: the common table expression that this query is; its name is in scope behind a set operation, because engines take it for a table before. */
function readQuery(
  items: readonly Item[],
  outside: ReadonlySet<string>,
  writer: Writer,
  start: "branch" | "table",
  recursive?: string,
): void {
  const common = start === "branch" ? readCommonTables(items, outside, writer) : { ctes: outside, next: 0 };
  let reading: Reading = {
    ...{ writer, ctes: common.ctes, level: {} },
    readQuery: (inner: readonly Item[], ctes: ReadonlySet<string>) => readQuery(inner, ctes, writer, "branch"),
  };
  let place: Place = start;
  for (let at = common.next; at < items.length; ) {
    const step = nextStep(items, at, place, reading);
    if (step.place === "branch" && recursive !== undefined)
      reading = { ...reading, ctes: new Set([...reading.ctes, recursive]) };
    at = step.next;
    place = step.place;
  }
  if (place === "branch" || place === "table") throw unexpected(undefined, place);
}

interface Reading {
  readonly writer: Writer;
  readonly ctes: ReadonlySet<string>;
  /** Where the columns of the SELECT at this level begin in what is written. */
  readonly level: { columnsAt?: number };
  readonly readQuery: (items: readonly Item[], ctes: ReadonlySet<string>) => void;
}

interface Step {
  readonly next: number;
  readonly place: Place;
}

function nextStep(items: readonly Item[], at: number, place: Place, reading: Reading): Step {
  const { writer } = reading;
  const item = items[at];
  const keyword = (next: Place): Step => {
    writer.written.push((item as Token).text.toUpperCase());
    return { next: at + 1, place: next };
  };
  if (place === "branch") return readBranch(items, at, reading);
  if (place === "table") return readTable(items, at, reading);
  const behind = isSymbol(items[at + 1], ".");
  const group = items[at + 1];
  if (isWord(item, "LIMIT") && writer.dialect.limitsByTop && !behind)
    return { next: writeLimit(items, at, reading.level.columnsAt, writer), place: "rest" };
  if (isWord(item, "EXCEPT") && isSymbol(items[at - 1], "*") && group?.kind === "group" && !isQuery(group.items)) {
    writer.written.push("EXCEPT");
    writeNames(group, writer);
    return { next: at + 2, place };
  }
  if (
    (place === "joined" || place === "aliased") &&
    isWord(item, "WITH") &&
    isWord(items[at + 1], "OFFSET", "ORDINALITY")
  ) {
    writer.written.push("WITH", (items[at + 1] as Token).text.toUpperCase());
    return { next: at + 2, place: "joined" };
  }
  if (isWord(item, ...SET_OPERATIONS) && !behind) return readSetOperation(items, at, writer);
  if (isWord(item, "SELECT") || (isWord(item, "WITH") && !isWord(items[at + 1], "ROLLUP", "TIES")))
    throw unexpected(item, place);
  const isDistinctFrom =
    isWord(items[at - 1], "DISTINCT") && isWord(items[isWord(items[at - 2], "NOT") ? at - 3 : at - 2], "IS");
  if (isWord(item, "FROM") && !isDistinctFrom) {
    if (place === "columns") return keyword("table");
    throw unexpected(item, place);
  }
  if (place === "joined" || place === "aliased" || place === "condition") {
    if (isSymbol(item, ",")) return keyword("table");
    if (isWord(item, "JOIN")) return keyword("table");
    if (isJoinWord(items, at)) return keyword("aliased");
    if (isWord(item, ...CLAUSES)) return keyword("rest");
  } else if (isWord(item, "JOIN") && !behind) throw unexpected(item, place);
  if (place === "joined" || place === "aliased") return readBehindTable(items, at, place, reading);
  return { next: writeExpression(items, at, reading), place };
}

function readBranch(items: readonly Item[], at: number, reading: Reading): Step {
  const item = items[at];
  if (isWord(item, "SELECT")) {
    reading.writer.written.push("SELECT");
    reading.level.columnsAt = reading.writer.written.length;
    return { next: at + 1, place: "columns" };
  }
  if (item?.kind !== "group" || item.open !== "(") throw unexpected(item, "branch");
  writeParentheses(item, reading, "branch");
  return { next: at + 1, place: "rest" };
}

function readSetOperation(items: readonly Item[], at: number, { written }: Writer): Step {
  const mode = items[at + 1];
  const hasMode = isWord(mode, "ALL", "DISTINCT");
  written.push((items[at] as Token).text.toUpperCase());
  if (hasMode) written.push((mode as Token).text.toUpperCase());
  return { next: at + (hasMode ? 2 : 1), place: "branch" };
}

function writeParentheses({ items }: Group, { writer, ctes }: Reading, start: "branch" | "table"): void {
  writer.written.push("(");
  readQuery(items, ctes, writer, start);
  writer.written.push(")");
}

/** A table of the context, a common table expression, a function of tables, a query, or joined tables in parentheses. */
function readTable(items: readonly Item[], at: number, reading: Reading): Step {
  const { writer, ctes } = reading;
  const { dialect, written, known } = writer;
  const item = items[at];
  if (isWord(item, "LATERAL") && dialect.keywords.has("LATERAL")) {
    written.push("LATERAL");
    return { next: at + 1, place: "table" };
  }
  if (item?.kind === "group" && item.open === "(") {
    writeParentheses(item, reading, isQuery(item.items) ? "branch" : "table");
    return { next: at + 1, place: "joined" };
  }
  if (item?.kind !== "word" && item?.kind !== "name") throw unexpected(item, "table");
  if (items[at + 1]?.kind === "group") {
    if (item.kind === "word" && dialect.tableFunctions.has(item.text.toUpperCase()))
      return { next: writeExpression(items, at, reading), place: "joined" };
    throw new Refusal(rejected(`${item.text}()`, "a question reads the tables of its context"));
  }
  const { parts, next } = readName(items, at);
  const names = parts.map((part) => nameOf(part, dialect));
  const common = names.length === 1 ? commonTableNamed(names[0] ?? "", ctes) : undefined;
  if (common !== undefined) {
    written.push(dialect.quoteName(common));
    return { next, place: "joined" };
  }
  const table = tableNamed(
    parts.map(({ text }) => text),
    writer,
  );
  writer.tables.add(table);
  const alias = names.at(-1)?.split(".").at(-1) ?? "";
  const hasAlias = isWord(items[next], "AS") || isAlias(items, next, writer);
  known.add(foldedName(alias));
  const select = writer.selectOf(table.path);
  written.push(select ? `(${select})` : table.origin.map((part) => dialect.quoteName(part)).join("."));
  if (!hasAlias) written.push("AS", dialect.quoteName(alias));
  return { next, place: "joined" };
}

/** The common table expression of this name, as it was defined: an engine may take a name in other letters for a table of its own. */
function commonTableNamed(name: string, ctes: ReadonlySet<string>): string | undefined {
  return ctes.has(name) ? name : [...ctes].findLast((one) => foldedName(one) === foldedName(name));
}

/** Behind a table stand an alias with its columns, ON, or USING. */
function readBehindTable(items: readonly Item[], at: number, place: Place, reading: Reading): Step {
  const { writer } = reading;
  const item = items[at];
  if (isWord(item, "ON")) {
    writer.written.push("ON");
    return { next: at + 1, place: "condition" };
  }
  const [columns] = [items[at + 1]];
  if (isWord(item, "USING") && columns?.kind === "group") {
    writer.written.push("USING");
    writeNames(columns, writer);
    return { next: at + 2, place: "aliased" };
  }
  if (place === "aliased") throw unexpected(item, place);
  const named = isWord(item, "AS") ? at + 1 : at;
  const alias = items[named];
  if (named > at) writer.written.push("AS");
  if ((alias?.kind !== "word" && alias?.kind !== "name") || (named === at && !isAlias(items, at, writer)))
    throw unexpected(alias, "joined");
  writeDefinedName(alias, writer);
  const list = items[named + 1];
  if (list?.kind !== "group") return { next: named + 1, place: "aliased" };
  writeNames(list, writer);
  return { next: named + 2, place: "aliased" };
}

function isAlias(items: readonly Item[], at: number, { dialect }: Writer): boolean {
  const item = items[at];
  return item?.kind === "name" || (item?.kind === "word" && !dialect.keywords.has(item.text.toUpperCase()));
}

/** A list of names of columns. */
function writeNames({ items }: Group, { dialect, written }: Writer): void {
  written.push("(");
  for (const item of items) {
    if (isSymbol(item, ",")) written.push(",");
    else if (item.kind === "word" || item.kind === "name") written.push(dialect.quoteName(nameOf(item, dialect)));
    else throw unexpected(item, "joined");
  }
  written.push(")");
}

/** `WITH a AS (…), b (x, y) AS (…)`. Each is in scope for those behind it, and in a recursive clause for itself. */
function readCommonTables(items: readonly Item[], outside: ReadonlySet<string>, writer: Writer) {
  if (!isWord(items[0], "WITH")) return { ctes: outside, next: 0 };
  const recursive = isWord(items[1], "RECURSIVE");
  writer.written.push(...(recursive ? ["WITH", "RECURSIVE"] : ["WITH"]));
  let ctes = outside;
  for (let at = recursive ? 2 : 1; ; ) {
    const name = items[at];
    if (name?.kind !== "word" && name?.kind !== "name") throw unexpected(name, "branch");
    const defined = writeDefinedName(name, writer);
    const columns = items[at + 1];
    if (columns?.kind === "group") writeNames(columns, writer);
    at += columns?.kind === "group" ? 2 : 1;
    const query = items[at + 1];
    if (!isWord(items[at], "AS") || query?.kind !== "group") throw unexpected(items[at], "branch");
    writer.written.push("AS", "(");
    readQuery(query.items, ctes, writer, "branch", recursive ? defined : undefined);
    writer.written.push(")");
    ctes = new Set([...ctes, defined]);
    at += 2;
    if (!isSymbol(items[at], ",")) return { ctes, next: at };
    writer.written.push(",");
    at++;
  }
}

const EXPECTED: Readonly<Record<Place, string>> = {
  branch: "a question is one SELECT over the tables of its context",
  columns: "it is not where a question has it",
  table: "a table of the context is expected here",
  joined: "behind a table an alias or a join is expected",
  aliased: "behind a table a join is expected",
  condition: "it is not where a question has it",
  rest: "it is not where a question has it",
};

function unexpected(item: Item | undefined, place: Place): Refusal {
  const text = item === undefined ? "an empty statement" : item.kind === "group" ? item.open : item.text;
  return new Refusal(rejected(text, EXPECTED[place]));
}
