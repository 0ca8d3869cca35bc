import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ModelVocabularySchema } from "@frontdesk/protos/gda/model_query";
import { type Described, type Dimension, GRAINS, isTime, METRIC_TIME } from "#semantics";
import type { DefinedModel } from "./bind-model.ts";

/** Values of a dimension, at most: to choose from, not to read all of them. */
const MAX_VALUES = 200;

/** What a query of the model can name (SEM-14): its metrics, the time of metrics and dimensions with their grains and values, named filters. Hidden ones are left out. */
export function vocabularyOf({ definition, values }: DefinedModel): MessageInitShape<typeof ModelVocabularySchema> {
  const { name, metrics, datasets, filters } = definition;
  return {
    modelName: name,
    metrics: metrics.filter(({ hidden }) => !hidden).map(described),
    dimensions: [
      { name: METRIC_TIME, label: "time", type: "timestamp", grains: [...GRAINS] },
      ...datasets.flatMap((dataset) =>
        dataset.dimensions
          .filter(({ hidden }) => !hidden)
          .map((dimension) => ({
            ...described(dimension),
            name: `${dataset.name}.${dimension.name}`,
            type: dimension.type,
            grains: grainsOf(dimension),
            values: values(dataset, dimension).slice(0, MAX_VALUES),
          })),
      ),
    ],
    filters: filters.map(described),
  };
}

function described({ name, label, description }: Described & { readonly name: string }) {
  return { name, label: label ?? name.replaceAll("_", " "), description: description ?? "" };
}

/** By which units of time a dimension can be grouped. */
function grainsOf(dimension: Dimension): string[] {
  if (!isTime(dimension)) return [];
  const smallest = dimension.grain ?? (dimension.type === "date" ? "day" : "hour");
  return GRAINS.slice(GRAINS.indexOf(smallest));
}
