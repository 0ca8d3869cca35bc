import { tableKey } from "#warehouse";
import type { FoundValue, SemanticModel } from "../contract.ts";
import { type SchemaIndex, schemaIndexOf, wordsOf } from "./schema-index.ts";

/** A table with what speaks for it. */
export interface RankedTable {
  /** Number of the table in the model. */
  readonly table: number;
  readonly score: number;
  /** Columns that the question names, or that have a value that it names. */
  readonly columns: ReadonlySet<string>;
}

/** What a question says of the tables that it needs. */
export interface QuestionSignals {
  readonly question: string;
  /** Earlier questions of the conversation: they count half. */
  readonly earlier: readonly string[];
  /** SQL of the author that fits the question, and of earlier answers: its tables count. */
  readonly statements: readonly string[];
  readonly found: readonly FoundValue[];
}

/** Words of questions that say nothing of the data. */
const EMPTY = new Set(
  "the of in on at for to from with is are was were do does did have has and or as all any by per each every what which who how many much show list give find get me my our us we it its their than more most less least top a an be can per total average number count sum please tell there this that when where".split(
    " ",
  ),
);
const VALUE_WEIGHT = 2.5;
const STATEMENT_SCORE = 30;
const EARLIER_WEIGHT = 0.5;
/** What a table passes on to one that it refers to, and to one that refers to it. */
const TO_REFERENCED = 0.25;
const TO_REFERRING = 0.1;

/** What speaks for a table: its part of each word, value and statement of the question. */
interface Evidence {
  readonly parts: Map<string, number>;
  readonly columns: Set<string>;
  /** Words of the table's own name that the question has. */
  readonly nameWords: Set<string>;
}

/** Tables that something in the question points to, the likeliest first. */
export function rankTables(model: SemanticModel, signals: QuestionSignals): readonly RankedTable[] {
  const index = schemaIndexOf(model);
  const known = new Map<number, Evidence>();
  const at = (table: number): Evidence => {
    const evidence = known.get(table) ?? { parts: new Map(), columns: new Set(), nameWords: new Set() };
    known.set(table, evidence);
    return evidence;
  };
  addWords(signals.question, 1, index, at);
  for (const text of signals.earlier) addWords(text, EARLIER_WEIGHT, index, at);
  addValues(signals.found, model, at);
  addStatements(signals.statements, model, at);
  preferWholeNames(known, index);
  passOn(known, index, at);
  return inOrder(known);
}

type EvidenceOf = (table: number) => Evidence;

/** Each word counts once for a table, by its best place. */
function addWords(text: string, factor: number, index: SchemaIndex, at: EvidenceOf): void {
  for (const word of new Set(wordsOf(text))) {
    if (EMPTY.has(word)) continue;
    const postings = index.postings(word);
    if (postings.length === 0) continue;
    const rarity = factor * index.rarity(postings);
    for (const { table, column, weight, ofName } of postings) {
      const { parts, columns, nameWords } = at(table);
      parts.set(word, Math.max(parts.get(word) ?? 0, weight * rarity));
      if (column !== undefined) columns.add(column);
      if (ofName) nameWords.add(word);
    }
  }
}

function addValues(found: readonly FoundValue[], { tables }: SemanticModel, at: EvidenceOf): void {
  const numbers = new Map(tables.map(({ schema }, number) => [tableKey(schema.path), number]));
  const homes = Map.groupBy(found, ({ value }) => value.toLowerCase());
  for (const { table, column, value } of found) {
    const number = numbers.get(tableKey(table));
    if (number === undefined) continue;
    const shared = new Set(homes.get(value.toLowerCase())?.map((one) => tableKey(one.table))).size;
    const { parts, columns } = at(number);
    parts.set(`= ${value.toLowerCase()}`, VALUE_WEIGHT * Math.log(1 + tables.length / shared));
    columns.add(column);
  }
}

function addStatements(statements: readonly string[], { tables }: SemanticModel, at: EvidenceOf): void {
  const words = new Set(statements.flatMap((sql) => sql.toLowerCase().match(/[\p{L}\p{N}_$-]+/gu) ?? []));
  if (words.size === 0) return;
  tables.forEach(({ schema }, number) => {
    const name = schema.path.at(-1)?.toLowerCase() ?? "";
    if (words.has(name)) at(number).parts.set(`SQL ${name}`, STATEMENT_SCORE);
  });
}

/** "orders" means the table orders, and not orders_archive. */
function preferWholeNames(known: ReadonlyMap<number, Evidence>, { nameWords: all }: SchemaIndex): void {
  for (const [table, { parts, nameWords }] of known) {
    const count = all[table] ?? 0;
    if (nameWords.size === 0 || count === 0) continue;
    const share = 0.5 + (0.5 * Math.min(nameWords.size, count)) / count;
    for (const word of nameWords) parts.set(word, (parts.get(word) ?? 0) * share);
  }
}

/** A table beside a likely one may be needed for the names of what it refers to, or for the rows that refer to it. */
function passOn(known: ReadonlyMap<number, Evidence>, { neighbours }: SchemaIndex, at: EvidenceOf): void {
  const scores = [...known].map(([table, { parts }]) => ({ table, score: sum(parts) }));
  const best = scores.reduce((most, { score }) => Math.max(most, score), 0);
  for (const { table, score } of scores.filter((one) => one.score > best / 2)) {
    for (const { table: other, referenced } of neighbours[table] ?? [])
      at(other).parts.set(`beside ${table}`, score * (referenced ? TO_REFERENCED : TO_REFERRING));
  }
}

function sum(parts: ReadonlyMap<string, number>): number {
  let total = 0;
  for (const part of parts.values()) total += part;
  return total;
}

/** Tables that are put in order by what they add to those before them; the rest follows by what it has. */
const ORDERED = 60;

/** What tables before it have counts less for the next one, so that copies of one table do not fill the prompt. */
function inOrder(known: ReadonlyMap<number, Evidence>): readonly RankedTable[] {
  const rest = [...known]
    .map(([table, evidence]) => ({ table, evidence, score: sum(evidence.parts) }))
    .toSorted((one, other) => other.score - one.score || one.table - other.table);
  const covered = new Map<string, number>();
  const ordered: typeof rest = [];
  while (ordered.length < ORDERED && rest.length > 0) {
    let [best, most] = [0, -1];
    rest.forEach(({ evidence, score }, place) => {
      if (score <= most) return;
      let added = 0;
      for (const [word, part] of evidence.parts) added += part / (1 + (covered.get(word) ?? 0));
      if (added > most) [best, most] = [place, added];
    });
    const [taken] = rest.splice(best, 1);
    if (!taken) break;
    for (const word of taken.evidence.parts.keys()) covered.set(word, (covered.get(word) ?? 0) + 1);
    ordered.push(taken);
  }
  return [...ordered, ...rest].map(({ table, score, evidence: { columns } }) => ({ table, score, columns }));
}
