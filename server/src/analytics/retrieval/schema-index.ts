import { tableKey } from "#warehouse";
import { stem, tokenize } from "../context/tokenizer.ts";
import type { SemanticModel, SemanticTable } from "../contract.ts";

/** Words of a schema, and the tables and columns that have them. */
export interface SchemaIndex {
  /** Tables and columns with a word, or with one that begins like it; empty where none has. */
  postings(word: string): readonly Posting[];
  /** How telling a word is: of few tables more, of many less. */
  rarity(postings: readonly Posting[]): number;
  /** How many words the name of a table has, by its number. */
  readonly nameWords: readonly number[];
  /** Numbers of the tables that one table is joined with, by its number. */
  readonly neighbours: readonly (readonly Neighbour[])[];
  /** Columns that the joins of one table are made of, by its number. */
  readonly joinColumns: readonly ReadonlySet<string>[];
}

/** A place of a word in a schema. */
interface Posting {
  /** Number of the table in the model. */
  readonly table: number;
  /** Name of the column; absent for words of the table itself. */
  readonly column?: string;
  readonly weight: number;
  /** Whether it is a word of the table's own name. */
  readonly ofName?: boolean;
}

/** A table that another one is joined with. */
interface Neighbour {
  readonly table: number;
  /** Whether the other table refers to it: it holds what its keys stand for. */
  readonly referenced: boolean;
}

/** How much a word counts, by where it stands. */
const WEIGHTS = { table: 3, column: 1.5, dataset: 1, tableNote: 1, columnNote: 0.5 };
/** How much a word counts that only begins like one of the schema. */
const PREFIX_WEIGHT = 0.6;
const PREFIX = 4;

const indexes = new WeakMap<SemanticModel, SchemaIndex>();

/** The index of a model, built once. */
export function schemaIndexOf(model: SemanticModel): SchemaIndex {
  let index = indexes.get(model);
  if (!index) {
    index = buildIndex(model);
    indexes.set(model, index);
  }
  return index;
}

/** Words of a text as they are looked up. Names in one word keep it, because nothing says where it is to be cut. */
export function wordsOf(text: string): readonly string[] {
  return tokenize(text).flatMap(({ kind, text: written, stem: word }) =>
    kind === "quoted" ? written.split(/\s+/).map(stem) : kind !== "symbol" && word.length > 1 ? [word] : [],
  );
}

function buildIndex(model: SemanticModel): SchemaIndex {
  const byWord = new Map<string, Posting[]>();
  // Names repeat from table to table.
  const words = new Map<string, ReadonlySet<string>>();
  const add = (text: string, posting: Posting) => {
    const own = words.get(text) ?? new Set(wordsOf(text));
    words.set(text, own);
    for (const word of own) {
      const known = byWord.get(word);
      if (known) known.push(posting);
      else byWord.set(word, [posting]);
    }
  };
  for (const [at, table] of model.tables.entries()) addTable(table, at, add);
  const byPrefix = Map.groupBy(
    [...byWord.keys()].filter((word) => word.length >= PREFIX),
    (word) => word.slice(0, PREFIX),
  );
  return {
    postings: (word) => byWord.get(word) ?? similar(word, byWord, byPrefix.get(word.slice(0, PREFIX)) ?? []),
    rarity: (postings) => Math.log(1 + model.tables.length / new Set(postings.map(({ table }) => table)).size),
    nameWords: model.tables.map(({ schema }) => new Set(wordsOf(schema.path.at(-1) ?? "")).size),
    ...joinsOf(model),
  };
}

function addTable(
  { schema, synonyms, tags, columns, measures }: SemanticTable,
  table: number,
  add: (text: string, posting: Posting) => void,
): void {
  add(schema.path.at(-1) ?? "", { table, weight: WEIGHTS.table, ofName: true });
  add(schema.path.at(-2) ?? "", { table, weight: WEIGHTS.dataset });
  add([...synonyms, ...measures.flatMap((one) => [one.name, ...one.synonyms])].join(" "), {
    table,
    weight: WEIGHTS.table,
  });
  add([schema.description ?? "", ...tags].join(" "), { table, weight: WEIGHTS.tableNote });
  for (const { name, synonyms: others, description, tags: own } of columns) {
    add([name, ...others].join(" "), { table, column: name, weight: WEIGHTS.column });
    if (description !== "" || own.length > 0)
      add([description, ...own].join(" "), { table, column: name, weight: WEIGHTS.columnNote });
  }
}

/** Places of words that begin with the word, or that it begins with: custom and customer, weather and weatherstation. */
function similar(
  word: string,
  byWord: ReadonlyMap<string, readonly Posting[]>,
  candidates: readonly string[],
): readonly Posting[] {
  return candidates
    .filter((other) => other.startsWith(word) || word.startsWith(other))
    .flatMap((other) => byWord.get(other) ?? [])
    .map((posting) => ({ ...posting, weight: posting.weight * PREFIX_WEIGHT }));
}

function joinsOf({ tables, relationships }: SemanticModel): Pick<SchemaIndex, "neighbours" | "joinColumns"> {
  const numbers = new Map(tables.map(({ schema }, at) => [tableKey(schema.path), at]));
  const neighbours: Neighbour[][] = tables.map(() => []);
  const joinColumns = tables.map(() => new Set<string>());
  for (const { left, leftColumns, right, rightColumns } of relationships) {
    const [from, to] = [numbers.get(tableKey(left)), numbers.get(tableKey(right))];
    if (from === undefined || to === undefined || from === to) continue;
    neighbours[from]?.push({ table: to, referenced: true });
    neighbours[to]?.push({ table: from, referenced: false });
    for (const column of leftColumns) joinColumns[from]?.add(column);
    for (const column of rightColumns) joinColumns[to]?.add(column);
  }
  return { neighbours, joinColumns };
}
