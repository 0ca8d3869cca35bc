import type { Dataset, Dimension, Measure, Metric, ModelDefinition } from "./model.ts";

/** `dataset.name` in its two parts; a dataset may have dots. */
export function splitName(reference: string): readonly [dataset: string, name: string] {
  const dot = reference.lastIndexOf(".");
  return [reference.slice(0, Math.max(0, dot)), reference.slice(dot + 1)];
}

/** By its name, which no other dataset has. */
export function findDataset({ datasets }: ModelDefinition, name: string): Dataset | undefined {
  return datasets.find((dataset) => dataset.name === name);
}

/** By `dataset.dimension`. */
export function findDimension(model: ModelDefinition, reference: string): FoundDimension | undefined {
  const [datasetName, name] = splitName(reference);
  const dataset = findDataset(model, datasetName);
  const dimension = dataset?.dimensions.find((one) => one.name === name);
  return dataset && dimension && { dataset, dimension };
}

interface FoundDimension {
  readonly dataset: Dataset;
  readonly dimension: Dimension;
}

/** By `dataset.measure`. */
export function findMeasure(model: ModelDefinition, reference: string): FoundMeasure | undefined {
  const [datasetName, name] = splitName(reference);
  const dataset = findDataset(model, datasetName);
  const measure = dataset?.measures.find((one) => one.name === name);
  return dataset && measure && { dataset, measure };
}

/** A measure with the dataset that it is of. */
export interface FoundMeasure {
  readonly dataset: Dataset;
  readonly measure: Measure;
}

/** By its name, which no other metric has. */
export function findMetric({ metrics }: ModelDefinition, name: string): Metric | undefined {
  return metrics.find((metric) => metric.name === name);
}

/** The metrics that a metric is made of, with their aliases. */
export function inputsOf(metric: Metric) {
  if (metric.kind === "ratio") return [metric.numerator, metric.denominator];
  return metric.kind === "derived" ? metric.inputs : [];
}

/** The dimension that is the time of a measure: one of its dataset, or `dataset.dimension` of one that is joined to it. */
export function timeOf(model: ModelDefinition, { dataset, measure }: FoundMeasure): FoundDimension | undefined {
  return findTime(model, dataset, measure.timeDimension ?? dataset.timeDimension);
}

/** A dimension by its name in the dataset, else by `dataset.dimension`. */
export function findTime(
  model: ModelDefinition,
  dataset: Dataset,
  name: string | undefined,
): FoundDimension | undefined {
  const dimension = dataset.dimensions.find((one) => one.name === name);
  return dimension ? { dataset, dimension } : findDimension(model, name ?? "");
}

/** Whether its values are days or instants. */
export function isTime({ type }: Pick<Dimension, "type">): boolean {
  return type === "date" || type === "timestamp";
}
