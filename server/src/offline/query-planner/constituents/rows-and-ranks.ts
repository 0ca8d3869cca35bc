import { type SemanticModel, type Token, tokenize } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import { isKey, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { storedTables } from "../lexicon/roles.ts";

/** What people call rows of any table. */
const ROWS = /^(reading|measurement|observation|record|entry|row|response|respondent|posting|transaction)$/;

/** "readings below zero", "respondents by plan": rows of the only table, by a word for any rows or by its column that is another in each row (CA-105). */
export function rowsOfOnlyTable(tokens: readonly Token[], model: SemanticModel): readonly Token[] {
  const [table, other] = storedTables(model);
  if (!table || other) return tokens;
  const lexicon = lexiconOf(model);
  const named = tokenize(tableLabel(table));
  // "first response" is a time of tickets.
  const names = table.columns.map((column) => columnLabel(table, column));
  const inNames = new Set([...lexicon.keys(), ...tokenize(names.join(" ")).map(({ stem }) => stem)]);
  const isOfRows = (meaning: Meaning) =>
    meaning.kind === "column" &&
    (isKey(table, meaning.column) ||
      (table.schema.rowCount !== undefined && meaning.column.values?.length === table.schema.rowCount));
  return tokens.flatMap((token, at) => {
    if (token.kind !== "word" || token.text === "") return [token];
    const isPlural = token.text.toLowerCase() !== token.stem || tokens[at - 1]?.kind === "number";
    const meanings = (lexicon.get(token.stem) ?? [])
      .filter(({ stems }) => stems.length === 1)
      .flatMap((one) => one.meanings);
    // "by respondent" splits, "entry 12" is one of them.
    const isOwn = isPlural && meanings.length > 0 && meanings.every(isOfRows);
    const isBeforeNumber = tokens[at + 1]?.kind === "number";
    const isAny = ROWS.test(token.stem) && !inNames.has(token.stem) && !isBeforeNumber;
    if (!isOwn && !isAny) return [token];
    return named.map((word, place) =>
      place < named.length - 1 ? word : { ...word, text: isPlural ? `${word.stem}s` : word.stem },
    );
  });
}

/** Rows that a ranking of all shows. */
const ALL = 1000;

/** "rank stores by revenue" is a ranking of all of them (CA-104). */
export function rankedAll(tokens: readonly Token[], model: SemanticModel): readonly Token[] {
  const [first, second, ...rest] = tokens;
  const begins = /^(rank|ranking)$/.test(first?.stem ?? "") && tokens.some(({ stem }) => stem === "by");
  if (!begins || !first || !second) return tokens;
  const named = /^(of|the|all|our|each)$/.test(second.stem) ? rest : [second, ...rest];
  const meanings = lexiconOf(model).get(named[0]?.stem ?? "") ?? [];
  if (!meanings.some(({ meanings: all }) => all.some(({ kind }) => kind === "table" || kind === "column")))
    return tokens;
  const all: Token = { kind: "number", text: "", stem: String(ALL), value: ALL };
  return [{ kind: "word", text: "", stem: "top" }, all, ...named];
}

/** Whether a ranking is of all. */
export function isOfAll(count: number | undefined): boolean {
  return count === ALL;
}
