/** Semantic models that authors define: metrics, dimensions, measures, relationships; compiled to the SQL of each engine. */
export { type CompiledQuery, compileQuery } from "./compile/compile-query.ts";
export { modelDialect } from "./compile/dialect.ts";
export { FileFault, type ImportNote, type SourceFile } from "./files/located.ts";
export { readModelFile, writeModelFile } from "./files/model-file.ts";
export type { ImportedModel, ModelFormat } from "./import/contract.ts";
export { importModel } from "./import/import-model.ts";
export { writeOsi } from "./import/osi/write-osi.ts";
export { findDimension, findMeasure, findMetric, isTime, splitName } from "./model/find.ts";
export type { Dataset, Described, Dimension, DimensionType, Metric, ModelDefinition } from "./model/model.ts";
export { GRAINS } from "./model/model.ts";
export { validateModel } from "./model/validate-model.ts";
export { describeQuery } from "./query/describe-query.ts";
export {
  type ConditionValue,
  type DimensionCondition,
  type Grouping,
  METRIC_TIME,
  ModelFault,
  type ModelQuery,
  modelQuery,
  OPERATORS,
} from "./query/model-query.ts";
