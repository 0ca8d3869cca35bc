/** Semantic models that authors define: metrics, dimensions, measures, relationships; compiled to the SQL of each engine. */
export { type CompiledQuery, type CompileTarget, compileQuery } from "./compile/compile-query.ts";
export { type ModelDialect, modelDialect } from "./compile/dialect.ts";
export { findDataset, findDimension, findMetric, isTime, splitName } from "./model/find.ts";
export type {
  Dataset,
  Described,
  Dimension,
  Metric,
  ModelDefinition,
  ModelGrain,
  NamedFilter,
} from "./model/model.ts";
export { validateModel } from "./model/validate-model.ts";
export { describeQuery } from "./query/describe-query.ts";
export {
  type DimensionCondition,
  type Grouping,
  METRIC_TIME,
  type MetricCondition,
  ModelFault,
  type ModelQuery,
  modelQuery,
  OPERATORS,
} from "./query/model-query.ts";
