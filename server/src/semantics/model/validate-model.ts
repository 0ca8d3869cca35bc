import { joinPaths } from "../compile/join-paths.ts";
import { bareNames, expressionFault, type Reference, referencesOf, sqlTokens } from "../expression/sql-tokens.ts";
import { findDataset, findMeasure, findMetric, findTime, inputsOf, isTime } from "./find.ts";
import type { Dataset, Metric, ModelDefinition, ModelRelationship } from "./model.ts";

/** Everything that is wrong with a model, each with the name of the thing; empty where it can be compiled (SEM-1). */
export function validateModel(model: ModelDefinition): readonly string[] {
  return [
    ...repeated("dataset", model.datasets),
    ...repeated("relationship", model.relationships),
    ...repeated("metric", model.metrics),
    ...repeated("filter", model.filters),
    ...model.datasets.flatMap((dataset) => datasetFaults(dataset, model)),
    ...model.relationships.flatMap((relationship) => relationshipFaults(relationship, model)),
    ...model.metrics.flatMap((metric) => metricFaults(metric, model)),
    ...model.filters.flatMap(({ name, expr }) => conditionFaults(`filter ${name}`, expr, model)),
  ];
}

function repeated(kind: string, things: readonly { readonly name: string }[]): readonly string[] {
  const names = things.map(({ name }) => name.toLowerCase());
  const seen = new Set<string>();
  const twice = new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
  return [
    ...things.filter(({ name }) => name.trim() === "").map(() => `a ${kind} has no name`),
    ...[...twice].map((name) => `${kind} ${name} is defined more than once`),
  ];
}

function datasetFaults(dataset: Dataset, model: ModelDefinition): readonly string[] {
  const { name, table, sql, dimensions, measures, timeDimension } = dataset;
  const at = `dataset ${name}`;
  return [
    ...((table === undefined) === (sql === undefined) ? [`${at} needs either a table or sql`] : []),
    ...(sql !== undefined && expressionFault(sql) ? [`${at}: its sql ${expressionFault(sql)}`] : []),
    ...repeated(`dimension of ${name}:`, dimensions),
    ...repeated(`measure of ${name}:`, measures),
    ...timeFaults(at, timeDimension, dataset, model),
    ...dimensions.flatMap((one) => rowExpressionFaults(`dimension ${name}.${one.name}`, one.expr, dataset, model)),
    ...dimensions.flatMap(({ name: own, dialects = {} }) =>
      Object.values(dialects).flatMap((expr) => rowExpressionFaults(`dimension ${name}.${own}`, expr, dataset, model)),
    ),
    ...dimensions
      .filter((one) => isCyclic(one.name, dataset))
      .map((one) => `dimension ${name}.${one.name} is defined by itself`),
    ...measures.flatMap((measure) => {
      const own = `measure ${name}.${measure.name}`;
      const { aggregation, expr, percentile } = measure;
      return [
        ...(expr === undefined && aggregation !== "count" ? [`${own}: ${aggregation} needs an expr`] : []),
        ...(aggregation === "percentile" && !(percentile !== undefined && percentile >= 0 && percentile <= 1)
          ? [`${own}: percentile must be from 0 to 1`]
          : []),
        ...timeFaults(own, measure.timeDimension, dataset, model),
        ...rowExpressionFaults(own, expr, dataset, model),
        ...rowExpressionFaults(`${own}, filter`, measure.filter, dataset, model),
      ];
    }),
  ];
}

function timeFaults(at: string, name: string | undefined, dataset: Dataset, model: ModelDefinition): readonly string[] {
  if (name === undefined) return [];
  const found = findTime(model, dataset, name);
  if (!found) return [`${at}: its time dimension ${name} does not exist`];
  if (!isTime(found.dimension))
    return [`${at}: its time dimension ${name} is ${found.dimension.type}, not date or timestamp`];
  const isOwn = found.dataset === dataset;
  const paths = isOwn ? 1 : joinPaths(model, dataset.name, found.dataset.name).length;
  return paths === 1
    ? []
    : [`${at}: ${paths || "no"} joins lead from ${dataset.name} to its time dimension ${name}; one must`];
}

/** An expression over the columns of one dataset. */
function rowExpressionFaults(
  at: string,
  expr: string | undefined,
  dataset: Dataset,
  model: ModelDefinition,
): readonly string[] {
  if (expr === undefined) return [];
  const fault = expressionFault(expr);
  if (fault) return [`${at}: its expression ${fault}`];
  return referencesOf(expr).flatMap((reference) => {
    if (reference.dataset !== undefined && reference.dataset !== dataset.name)
      return [`${at} refers to ${shown(reference)}, of another dataset; join in a metric's filter instead`];
    return referenceFaults(at, { ...reference, dataset: dataset.name }, model);
  });
}

function referenceFaults(at: string, { dataset = "", name }: Reference, model: ModelDefinition): readonly string[] {
  const found = findDataset(model, dataset);
  if (!found) return [`${at} refers to dataset ${dataset || "(none)"}, which does not exist`];
  const exists = found.dimensions.some((dimension) => dimension.name === name);
  return exists ? [] : [`${at} refers to dimension ${dataset}.${name}, which does not exist`];
}

const shown = ({ dataset, name }: Reference) => (dataset ? `${dataset}.${name}` : name);

function isCyclic(start: string, { dimensions }: Dataset): boolean {
  const visit = (name: string, seen: readonly string[]): boolean => {
    const expr = dimensions.find((dimension) => dimension.name === name)?.expr;
    if (expr === undefined) return false;
    return referencesOf(expr).some(
      (next) => next.name === start || (!seen.includes(next.name) && visit(next.name, [...seen, next.name])),
    );
  };
  return visit(start, [start]);
}

/** A condition over dimensions of several datasets: columns cannot be told apart there, so only references are allowed. */
function conditionFaults(at: string, expr: string, model: ModelDefinition): readonly string[] {
  const fault = expressionFault(expr);
  if (fault) return [`${at}: its condition ${fault}`];
  return [
    ...bareNames(expr).map((name) => `${at}: write \${dataset.dimension} in place of ${name}`),
    ...referencesOf(expr).flatMap((reference) => referenceFaults(at, reference, model)),
  ];
}

function relationshipFaults(relationship: ModelRelationship, model: ModelDefinition): readonly string[] {
  const { name, from, to, columns, cardinality } = relationship;
  const at = `relationship ${name}`;
  const target = findDataset(model, to);
  const missing = [from, to].filter((dataset) => !findDataset(model, dataset));
  const isKey = target?.keys.some((key) => key.every((column) => columns.some(([, own]) => own === column)));
  return [
    ...missing.map((dataset) => `${at}: dataset ${dataset} does not exist`),
    ...(columns.length === 0 ? [`${at} has no columns`] : []),
    ...columns.flatMap(([own, other]) => [
      ...referencesOf(own).flatMap((reference) => referenceFaults(at, { ...reference, dataset: from }, model)),
      ...referencesOf(other).flatMap((reference) => referenceFaults(at, { ...reference, dataset: to }, model)),
    ]),
    ...(target && cardinality !== "many_to_many" && columns.length > 0 && !isKey
      ? [
          `${at}: ${columns.map(([, own]) => own).join(", ")} is no key of ${to}, so a join could repeat rows; add it to its keys`,
        ]
      : []),
  ];
}

function metricFaults(metric: Metric, model: ModelDefinition): readonly string[] {
  const at = `metric ${metric.name}`;
  const inputs = inputsOf(metric);
  return [
    ...(metric.filter ?? []).flatMap((expr) => conditionFaults(`${at}, filter`, expr, model)),
    ...inputs.flatMap((input) => [
      ...(findMetric(model, input.metric) ? [] : [`${at}: metric ${input.metric} does not exist`]),
      ...(input.filter ?? []).flatMap((expr) => conditionFaults(`${at}, filter of ${input.metric}`, expr, model)),
      ...(input.offset && input.offsetTo ? [`${at}: ${input.metric} has offset and offsetTo; one is possible`] : []),
    ]),
    ...(isMadeOfItself(metric.name, model) ? [`${at} is made of itself`] : []),
    ...ownFaults(metric, at, model),
  ];
}

function ownFaults(metric: Metric, at: string, model: ModelDefinition): readonly string[] {
  if (metric.kind === "ratio") return [];
  if (metric.kind === "derived") return derivedFaults(metric, at);
  const found = findMeasure(model, metric.measure);
  if (!found) return [`${at}: measure ${metric.measure} does not exist`];
  if (metric.kind === "simple") return [];
  const { measure, dataset } = found;
  return [
    ...(metric.window && metric.toDate ? [`${at} has window and toDate; one is possible`] : []),
    ...((measure.timeDimension ?? dataset.timeDimension)
      ? []
      : [`${at}: ${metric.measure} has no time dimension to accumulate over`]),
  ];
}

function derivedFaults({ expression, inputs }: Extract<Metric, { kind: "derived" }>, at: string): readonly string[] {
  const fault = expressionFault(expression);
  if (fault) return [`${at}: its expression ${fault}`];
  const known = new Set(inputs.map(({ metric, alias }) => alias ?? metric));
  const names = [...known];
  const used = new Set(sqlTokens(expression).map(({ text }) => text));
  return [
    ...bareNames(expression)
      .filter((name) => !known.has(name))
      .map((name) => `${at}: ${name} in its expression is none of its inputs`),
    ...names.filter((name) => !used.has(name)).map((name) => `${at}: its expression does not use ${name}`),
    ...(known.size < inputs.length ? [`${at}: two inputs have one name; give one an alias`] : []),
    ...names
      .filter((name) => !/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name))
      .map((name) => `${at}: input ${name} needs an alias of letters, digits and underscores`),
  ];
}

function isMadeOfItself(start: string, model: ModelDefinition): boolean {
  const seen = new Set<string>();
  const visit = (name: string): boolean => {
    const metric = findMetric(model, name);
    if (!metric || seen.has(name)) return false;
    seen.add(name);
    return inputsOf(metric).some((input) => input.metric === start || visit(input.metric));
  };
  return visit(start);
}
