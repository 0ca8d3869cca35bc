import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import { tokenize } from "#analytics";
import { namedColumn } from "./cents.ts";
import { computedPhrases } from "./computed-columns.ts";
import { flagValues, isTemporal, type Lexicon, type Meaning, type Phrase } from "./meaning.ts";
import { columnLabel, tableLabel, verbOf } from "./names.ts";
import { plannedPhrases } from "./planned.ts";
import { rolePhrases, rolesOf, storedTables } from "./roles.ts";
import { shortNames } from "./short-names.ts";

/** The lexicon of a model is built once, because models are immutable. */
const lexicons = new WeakMap<SemanticModel, Lexicon>();

/** Every phrase that names something of the data: tables, columns, measures, their synonyms, and values. */
export function lexiconOf(model: SemanticModel): Lexicon {
  let lexicon = lexicons.get(model);
  if (!lexicon) {
    const stored = { ...model, tables: storedTables(model) };
    const ofTables = [...stored.tables.flatMap(phrasesOf), ...sharedSynonyms(stored)].map(withRolesIn(model));
    const names = new Set(ofTables.flatMap(([words, { kind }]) => (kind === "value" ? [] : [keyOf(words)])));
    const named = [...ofTables, ...rolePhrases(model, (words) => names.has(keyOf(words)))];
    const known = [...named, ...weaker(stored, named), ...glossaryPhrases(model, named)];
    const parts = partsOfNames(stored, known);
    const taken = new Set([...known, ...parts].map(([words]) => keyOf(words)));
    const computed = [...computedPhrases(stored), ...plannedPhrases(stored)].filter(
      ([words]) => !taken.has(keyOf(words)),
    );
    lexicon = index([...known, ...computed], parts);
    lexicons.set(model, lexicon);
  }
  return lexicon;
}

/** Values of a table that is read in several roles. */
function withRolesIn(model: SemanticModel) {
  const roles = new Map(storedTables(model).map((table) => [table, rolesOf(table, model)]));
  return ([words, meaning]: Entry): Entry => {
    const known = roles.get(meaning.table) ?? [];
    return [words, meaning.kind === "value" && known.length > 0 ? { ...meaning, roles: known } : meaning];
  };
}

type Entry = readonly [words: string, meaning: Meaning];

function phrasesOf(table: SemanticTable): readonly Entry[] {
  const tableMeaning: Meaning = { kind: "table", table };
  return [
    ...[tableLabel(table), ...table.synonyms].map((words): Entry => [words, tableMeaning]),
    ...table.measures.flatMap((measure) =>
      [measure.name, ...measure.synonyms].map((words): Entry => [words, { kind: "measure", table, measure }]),
    ),
    ...table.columns.flatMap((column) => columnPhrases(table, column)),
  ];
}

function columnPhrases(table: SemanticTable, column: SemanticColumn): readonly Entry[] {
  const meaning: Meaning = { kind: "column", table, column };
  const spoken = columnLabel(table, column);
  const owner = tokenize(tableLabel(table))
    .map(({ stem }) => stem)
    .join(" ");
  // "order status" of orders is the column status.
  const short = spoken.startsWith(`${owner} `) ? [spoken.slice(owner.length + 1)] : [];
  const synonyms = column.synonyms.flatMap((words) => [words, `${owner} ${words}`]);
  const names = [
    spoken,
    `${owner} ${spoken}`,
    ...short,
    ...withoutUnit(table, column),
    ...synonyms,
    ...verbs(column, spoken),
  ];
  const values = (column.values ?? column.found ?? []).map(
    (value): Entry => [value, { kind: "value", table, column, value }],
  );
  return [
    ...names.map((words): Entry => [words, meaning]),
    ...values,
    ...sexes(table, column),
    ...rates(table, column),
  ];
}

/** "women" for the value F of a column called sex. */
function sexes(table: SemanticTable, column: SemanticColumn): readonly Entry[] {
  if (!/\b(sex|gender)\b/.test(columnLabel(table, column))) return [];
  return (column.values ?? []).flatMap((value): readonly Entry[] => {
    const words = SEXES.find(({ written }) => written.test(value))?.words ?? [];
    return words.filter((word) => word !== keyOf(value)).map((word) => [word, { kind: "value", table, column, value }]);
  });
}

const SEXES = [
  { written: /^(f|w|female|woman|women)$/i, words: ["female", "woman"] },
  { written: /^(m|male|man|men)$/i, words: ["male", "man"] },
];

/** "body mass" for a column called "Body Mass (g)". */
function withoutUnit(table: SemanticTable, column: SemanticColumn): readonly string[] {
  const name = column.name.replace(/(?<!\s)\s*[([][^()[\]]*[)\]]\s*$/, "");
  return name === column.name || name === "" ? [] : [columnLabel(table, { ...column, name })];
}

/** The largest number of values of a state column, whose values have rates. */
const MOST_STATES = 8;

/** "return rate", "returned rate", "cancellation rate" for a state of rows, "conversion rate" for a flag called converted. */
function rates(table: SemanticTable, column: SemanticColumn): readonly Entry[] {
  const flag = flagValues(column);
  const { values = [] } = column;
  if (values.length > MOST_STATES) return [];
  const states = flag
    ? [{ word: columnLabel(table, column).replace(/^(is|has|was|are) /, ""), value: flag.yes }]
    : values.map((value) => ({ word: value.toLowerCase(), value }));
  // Beside "cancelled", "no-show" is a state, too.
  const others = states.some(({ word }) => ENDS_IN_ED.test(word)) ? states.map(({ word }) => word) : [];
  return states.flatMap(({ word, value }): readonly Entry[] => {
    const outcome = OUTCOMES.find(({ written }) => written.test(word))?.words ?? others.filter((one) => one === word);
    const words = ENDS_IN_ED.test(word) ? nounsOf(word) : flag ? [word] : outcome;
    return words.map((one) => [`${one} rate`, { kind: "rate", table, column, value }]);
  });
}

const ENDS_IN_ED = /^\p{L}+ed$/u;

/** States that end a try, which do not end in -ed. */
const OUTCOMES = [
  { written: /^(pass|ok|success|successful)$/, words: ["pass", "success"] },
  { written: /^(fail|failure|error)$/, words: ["fail", "failure", "error"] },
  { written: /^(win|won)$/, words: ["win"] },
  { written: /^(loss|lost|lose)$/, words: ["loss"] },
];

/** Endings that make a noun of a verb: cancellation, completion, renewal, delivery, failure, settlement. */
const NOUN_ENDINGS = ["", "e", "ation", "ion", "al", "y", "ure", "ment"];

/** What a state that ends in -ed may be called as a noun: "converted" is of conversion, "damaged" of damage. */
function nounsOf(state: string): readonly string[] {
  const bases = new Set([verbOf(state), state.replace(/ed$/, "")]);
  const nouns = [...bases].flatMap((base) => [
    ...NOUN_ENDINGS.map((ending) => base + ending),
    ...(base.endsWith("t") ? [`${base.slice(0, -1)}sion`, `${base.slice(0, -1)}ssion`] : []),
  ]);
  return [state, ...new Set(nouns)];
}

/** An author's synonym of a column also names the column of the same name in another table: "balance" of suppliers, too. */
function sharedSynonyms({ tables }: SemanticModel): readonly Entry[] {
  const columns = tables.flatMap((table) =>
    table.columns.map((column) => ({ table, column, spoken: columnLabel(table, column) })),
  );
  const owners = tables.map((table) => keyOf(tableLabel(table)));
  return columns.flatMap(({ table, column, spoken }) => {
    const words = column.synonyms.filter((one) => !owners.some((owner) => ` ${keyOf(one)} `.includes(` ${owner} `)));
    const others = columns.filter(
      (one) => one.spoken === spoken && one.table !== table && one.column.type === column.type,
    );
    return others.flatMap((other) =>
      words
        .filter((one) => !other.column.synonyms.includes(one))
        .map((one): Entry => [one, { kind: "column", table: other.table, column: other.column }]),
    );
  });
}

/** Names of a lower precedence: "items" for order items, a description of few words, "weight" for weight_kg. */
function weaker(model: SemanticModel, named: readonly Entry[]): readonly Entry[] {
  const taken = new Set(named.map(([words]) => keyOf(words)));
  const found = model.tables.flatMap((table): readonly Entry[] => {
    const last = tableLabel(table).split(" ").slice(1).at(-1);
    const described = table.columns.flatMap((column): readonly Entry[] => {
      const words = tokenize(column.description).length;
      const short = shortNames(table, column).certain;
      const owned = short.map((name) => `${tableLabel(table)} ${name}`);
      const names = [...short, ...owned, ...(words > 0 && words <= 2 ? [column.description] : [])];
      return names.map((name): Entry => [name, { kind: "column", table, column: namedColumn(table, column, name) }]);
    });
    return [...(last ? [[last, { kind: "table", table }] as const] : []), ...described];
  });
  return found.filter(([words]) => !taken.has(keyOf(words)));
}

/** Parts of columns' names that name nothing else, and no second column of a table; what is read is told. */
function partsOfNames(model: SemanticModel, known: readonly Entry[]): readonly Entry[] {
  const taken = new Set(known.map(([words]) => keyOf(words)));
  return model.tables.flatMap((table) => {
    const found = table.columns.flatMap((column) =>
      [...new Set(shortNames(table, column).parts.map(keyOf))].map((key) => ({ key, column })),
    );
    const byKey = Map.groupBy(found, ({ key }) => key);
    return [...byKey].flatMap(([key, [one, other]]): readonly Entry[] =>
      one && !other && !taken.has(key)
        ? [[key, { kind: "column", table, column: namedColumn(table, one.column, key) }]]
        : [],
    );
  });
}

/** A glossary term whose meaning is a name of the data ("Umsatz: revenue") or a value ("segment Trade"). */
function glossaryPhrases({ glossary }: SemanticModel, named: readonly Entry[]): readonly Entry[] {
  const byKey = Map.groupBy(named, ([words]) => keyOf(words));
  return glossary.flatMap(({ term, meaning: explained }): readonly Entry[] => {
    if (byKey.has(keyOf(term))) return [];
    const meanings = byKey.get(keyOf(explained))?.map(([, meaning]) => meaning) ?? valuesIn(explained, named);
    return meanings.map((meaning) => [term, meaning]);
  });
}

/** The value that follows the name of its column in a glossary entry. */
function valuesIn(text: string, named: readonly Entry[]): readonly Meaning[] {
  const words = ` ${keyOf(text)} `;
  return named.flatMap(([, meaning]) => {
    if (meaning.kind !== "value") return [];
    return words.includes(` ${keyOf(columnLabel(meaning.table, meaning.column))} ${keyOf(meaning.value)} `)
      ? [meaning]
      : [];
  });
}

function keyOf(words: string): string {
  return tokenize(words)
    .map(({ stem }) => stem)
    .join(" ");
}

/** The event of a time column: "shipped" for ship_date, "ordered" for ordered_at. */
function verbs(column: SemanticColumn, spoken: string): readonly string[] {
  if (!isTemporal(column)) return [];
  if (/\bbirth\b|^dob$/.test(spoken)) return ["born"];
  const [verb, ...rest] = spoken.split(" ");
  if (!verb || rest.some((word) => !/^(date|at|on|time|day|timestamp)$/.test(word))) return [];
  const base = verbOf(verb);
  const past = base.endsWith("e") ? [`${base}d`] : [`${base}ed`, `${base}${base.at(-1) ?? ""}ed`];
  return rest.length === 0 ? [] : [base, ...past].filter((word) => word !== "ord");
}

function index(entries: readonly Entry[], parts: readonly Entry[]): Lexicon {
  const phrases = new Map<string, { stems: readonly string[]; meanings: Meaning[]; isPart?: boolean }>();
  const partial = new Set(parts);
  for (const entry of [...entries, ...parts]) {
    const [words, meaning] = entry;
    const stems = tokenize(words).map(({ stem }) => stem);
    if (stems.length === 0 || stems.every((one) => one === "")) continue;
    const key = stems.join(" ");
    const phrase = phrases.get(key) ?? { stems, meanings: [], ...(partial.has(entry) && { isPart: true }) };
    phrase.meanings.push(meaning);
    phrases.set(key, phrase);
  }
  return byFirstWord([...phrases.values()]);
}

function byFirstWord(phrases: readonly Phrase[]): Lexicon {
  const longestFirst = phrases.toSorted((left, right) => right.stems.length - left.stems.length);
  return Map.groupBy(longestFirst, ({ stems: [first = ""] }) => first);
}
