import { type DefinedModel, type SemanticModel, tokenize } from "#analytics";
import { createPauses } from "#base";
import type { Described } from "#semantics";

/** What a phrase of a question stands for in a semantic model. */
export type ModelMeaning =
  | { readonly kind: "metric"; readonly name: string }
  | { readonly kind: "dimension"; readonly dimension: string }
  | { readonly kind: "filter"; readonly name: string }
  | { readonly kind: "value"; readonly dimension: string; readonly value: string };

/** All phrases, by their first word; the longest first. */
export type ModelLexicon = ReadonlyMap<string, readonly ModelPhrase[]>;

interface ModelPhrase {
  readonly stems: readonly string[];
  readonly meanings: readonly ModelMeaning[];
}

/** Phrases that were found, by their words. */
type Found = Map<string, { readonly stems: readonly string[]; readonly meanings: Map<string, ModelMeaning> }>;

const known = new WeakMap<DefinedModel, Promise<ModelLexicon>>();

/**
 * Names, labels and synonyms of metrics, dimensions and filters, and the values that dimensions have, whatever is asked. It is made once for a
 * model, which may have thousands of dimensions; other calls run meanwhile.
 */
export function modelLexicon(defined: DefinedModel): Promise<ModelLexicon> {
  const made = known.get(defined) ?? phrasesOf(defined).then(byFirstWord);
  known.set(defined, made);
  return made;
}

/** The lexicon for a question: with the values of other columns that it names. */
export function questionLexicon(
  own: ModelLexicon,
  question: string,
  { defined, model }: { readonly defined: DefinedModel; readonly model: SemanticModel },
): ModelLexicon {
  const named: Found = new Map();
  for (const value of model.valuesIn?.(question) ?? []) {
    const dimension = defined.dimensionOf(value);
    if (dimension) put(named, value.value, { kind: "value", dimension, value: value.value });
  }
  return named.size === 0 ? own : withPhrases(own, named);
}

async function phrasesOf(defined: DefinedModel): Promise<Found> {
  const { metrics, filters, datasets } = defined.definition;
  const found: Found = new Map();
  const pause = createPauses();
  for (const metric of metrics) {
    if (!metric.hidden) for (const name of namesOf(metric)) put(found, name, { kind: "metric", name: metric.name });
    await pause();
  }
  for (const filter of filters)
    for (const name of namesOf(filter)) put(found, name, { kind: "filter", name: filter.name });
  for (const dataset of datasets)
    for (const dimension of dataset.dimensions.filter(({ hidden }) => !hidden)) {
      const own = `${dataset.name}.${dimension.name}`;
      for (const name of [...namesOf(dimension), `${dataset.name} ${dimension.name}`])
        put(found, name, { kind: "dimension", dimension: own });
      for (const value of defined.values(dataset, dimension))
        put(found, value, { kind: "value", dimension: own, value });
      await pause();
    }
  return found;
}

function put(found: Found, text: string, meaning: ModelMeaning): void {
  const stems = tokenize(text).map((token) => token.stem);
  const key = stems.join(" ");
  if (key === "" || stems.length > MAX_WORDS) return;
  const phrase = found.get(key) ?? { stems, meanings: new Map() };
  phrase.meanings.set(JSON.stringify(meaning), meaning);
  found.set(key, phrase);
}

/** A lexicon with what a question names besides. */
function withPhrases(own: ModelLexicon, named: Found): ModelLexicon {
  const lexicon = new Map(own);
  for (const [first, added] of byFirstWord(named)) {
    const merged: Found = new Map();
    for (const { stems, meanings } of [...(own.get(first) ?? []), ...added]) {
      const key = stems.join(" ");
      const phrase = merged.get(key) ?? { stems, meanings: new Map() };
      for (const meaning of meanings) phrase.meanings.set(JSON.stringify(meaning), meaning);
      merged.set(key, phrase);
    }
    for (const [word, phrases] of byFirstWord(merged)) lexicon.set(word, phrases);
  }
  return lexicon;
}

/** Words of a phrase, at most. */
const MAX_WORDS = 8;

function namesOf({ name, label, synonyms = [] }: Described & { readonly name: string }): readonly string[] {
  return [name, ...(label ? [label] : []), ...synonyms];
}

function byFirstWord(found: Found): ModelLexicon {
  const phrases = [...found.values()].map(({ stems, meanings }) => ({ stems, meanings: [...meanings.values()] }));
  const longestFirst = phrases.toSorted((one, other) => other.stems.length - one.stems.length);
  return Map.groupBy(longestFirst, ({ stems: [first = ""] }) => first);
}
