import { type DefinedModel, type SemanticModel, tokenize } from "#analytics";
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

/** Names, labels and synonyms of metrics, dimensions and filters, and the values that dimensions have. */
export function modelLexicon(defined: DefinedModel, question: string, model: SemanticModel): ModelLexicon {
  const { metrics, filters, datasets } = defined.definition;
  const found = new Map<string, { stems: readonly string[]; meanings: ModelMeaning[] }>();
  const put = (text: string, meaning: ModelMeaning) => {
    const stems = tokenize(text).map((token) => token.stem);
    const key = stems.join(" ");
    if (key === "" || stems.length > MAX_WORDS) return;
    const phrase = found.get(key) ?? { stems, meanings: [] };
    if (!phrase.meanings.some((one) => JSON.stringify(one) === JSON.stringify(meaning))) phrase.meanings.push(meaning);
    found.set(key, phrase);
  };
  for (const metric of metrics)
    if (!metric.hidden) for (const name of namesOf(metric)) put(name, { kind: "metric", name: metric.name });
  for (const filter of filters) for (const name of namesOf(filter)) put(name, { kind: "filter", name: filter.name });
  for (const dataset of datasets)
    for (const dimension of dataset.dimensions.filter(({ hidden }) => !hidden)) {
      const own = `${dataset.name}.${dimension.name}`;
      for (const name of [...namesOf(dimension), `${dataset.name} ${dimension.name}`])
        put(name, { kind: "dimension", dimension: own });
      for (const value of defined.values(dataset, dimension)) put(value, { kind: "value", dimension: own, value });
    }
  for (const value of model.valuesIn?.(question) ?? []) {
    const dimension = defined.dimensionOf(value);
    if (dimension) put(value.value, { kind: "value", dimension, value: value.value });
  }
  return byFirstWord([...found.values()]);
}

/** Words of a phrase, at most. */
const MAX_WORDS = 8;

function namesOf({ name, label, synonyms = [] }: Described & { readonly name: string }): readonly string[] {
  return [name, ...(label ? [label] : []), ...synonyms];
}

function byFirstWord(phrases: readonly ModelPhrase[]): ModelLexicon {
  const index = new Map<string, ModelPhrase[]>();
  for (const phrase of phrases.toSorted((one, other) => other.stems.length - one.stems.length)) {
    const [first = ""] = phrase.stems;
    index.set(first, [...(index.get(first) ?? []), phrase]);
  }
  return index;
}
