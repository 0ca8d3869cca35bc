import { type SemanticModel, type SemanticTable, tokenize } from "#analytics";
import { isFlag, isKey, isNumeric } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { storedTables } from "../lexicon/roles.ts";

/** What a question about the data itself is made of, beside names of tables: no number is asked of these words. */
const ABOUT =
  /^(help|data|dataset|database|table|column|field|schema|row|record|size|question|ask|know|tell|show|list|see|describe|explain|contain|available|have|has|there|what|which|how|many|can|could|do|doe|did|i|you|we|me|us|it|are|is|in|of|for|the|a|an|all|any|about|to|my|our|your|this|that|here|please|and|kind)$/;
/** One of them must be there. */
const SUBJECT = /^(help|data|dataset|database|table|column|field|schema|row|record|question|ask)$/;

/** Tables that are described, at most: a context may have thousands. */
const MOST_TABLES = 5;
/** Tables that are named behind them. */
const MOST_NAMES = 20;
/** Columns that are named of each kind. */
const MOST_COLUMNS = 6;

/**
 * The answer to a question about the data itself: "what data do you have", "which columns are in orders", "how many rows are there", "help".
 * Undefined where it is another one: where one of its words names a column or a value, or nothing of the kind.
 */
export function overviewFor(question: string, model: SemanticModel): string | undefined {
  const stems = tokenize(question).map(({ stem }) => stem);
  const named = storedTables(model).filter((table) => contains(stems, stemsOf(table)));
  const words = named.flatMap(stemsOf);
  const rest = stems.filter((stem) => !words.includes(stem));
  if (!rest.some((stem) => SUBJECT.test(stem)) || !rest.every((stem) => ABOUT.test(stem))) return undefined;
  // "how many rows are there in orders", or in the only table, is a count.
  if (stems.includes("many") && (named.length > 0 || storedTables(model).length === 1)) return undefined;
  const tables = named.length > 0 ? named : storedTables(model);
  const shown = tables.slice(0, MOST_TABLES).map(described);
  // Of a large schema only tables that the question points to are here; names find the others.
  const elsewhere = named.length > 0 ? 0 : (model.left ?? 0);
  const count = tables.length + elsewhere;
  const others = tables.slice(MOST_TABLES, MOST_TABLES + MOST_NAMES).map(tableLabel);
  const left = count - shown.length;
  const more =
    left > 0
      ? [
          `${left.toLocaleString("en-US")} more${others.length > 0 ? `: ${others.join(", ")}` : ""}${left > others.length ? ", …" : "."}`,
        ]
      : [];
  const total = `There ${count === 1 ? "is 1 table" : `are ${count.toLocaleString("en-US")} tables`}.`;
  return [total, ...[...shown, ...more].map((line) => `- ${line}`)].join("\n");
}

/** "how many rows are there" of one table, as a question that names it; any other question as it is. */
export function withOnlyTable(question: string, model: SemanticModel): string {
  const [table, other] = storedTables(model);
  const rows =
    /^\s*how many (rows|records|entries)( (are|do|does|did|is)( there| we have| you have| it have)?| there are)?\s*\??\s*$/i;
  return table && !other && rows.test(question) ? `how many ${tableLabel(table)}` : question;
}

function stemsOf(table: SemanticTable): readonly string[] {
  return tokenize(tableLabel(table)).map(({ stem }) => stem);
}

function contains(words: readonly string[], part: readonly string[]): boolean {
  return words.some((_, at) => part.every((word, offset) => words[at + offset] === word));
}

function described(table: SemanticTable): string {
  const own = table.columns.filter((column) => !isKey(table, column));
  const named = (columns: SemanticTable["columns"]) =>
    columns
      .slice(0, MOST_COLUMNS)
      .map((column) => columnLabel(table, column))
      .join(", ") + (columns.length > MOST_COLUMNS ? ", …" : "");
  const parts = [
    ["numbers", [...own.filter(isNumeric)]],
    ["times", [...timeColumns(table)]],
    ["to group and choose by", own.filter((column) => column.type === "STRING" || isFlag(column))],
  ] as const;
  const measures = table.measures.map(({ name }) => name.replaceAll("_", " "));
  const { rowCount } = table.schema;
  const rows =
    rowCount === undefined ? "" : ` (${rowCount.toLocaleString("en-US")} ${rowCount === 1 ? "row" : "rows"})`;
  const texts = [
    ...(measures.length > 0 ? [`measures ${measures.slice(0, MOST_COLUMNS).join(", ")}`] : []),
    ...parts.flatMap(([what, columns]) => (columns.length > 0 ? [`${what} ${named(columns)}`] : [])),
  ];
  return `**${tableLabel(table)}**${rows}: ${texts.join("; ") || "identifiers only"}.`;
}
