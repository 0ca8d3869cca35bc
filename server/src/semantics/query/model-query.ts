import type { ModelGrain } from "../model/model.ts";

/** The time of each metric's own measure, whatever its dataset. */
export const METRIC_TIME = "metric_time";

/** A question in terms of a model. Names: metrics by name, dimensions as `dataset.dimension`. */
export interface ModelQuery {
  readonly metrics: readonly string[];
  readonly groupBy: readonly Grouping[];
  /** All must hold. */
  readonly where: readonly DimensionCondition[];
  /** Named filters of the model; all must hold. */
  readonly filters: readonly { readonly name: string; readonly negated?: boolean }[];
  /** Conditions on groups. */
  readonly having: readonly MetricCondition[];
  /** Default: times ascending; else the first metric descending. */
  readonly orderBy: readonly { readonly by: string; readonly descending?: boolean }[];
  readonly limit?: number;
}

/** A dimension, or METRIC_TIME. */
export interface DimensionReference {
  readonly dimension: string;
  /** A relationship on the way to the dataset, where several ways lead there. */
  readonly via?: string;
}

/** A dimension to group by. */
export interface Grouping extends DimensionReference {
  /** Of times; required for them. */
  readonly grain?: ModelGrain;
}

/** What a value of a dimension may be compared by. */
export const OPERATORS = [
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "in",
  "not in",
  "contains",
  "is null",
  "is not null",
] as const;
type Operator = (typeof OPERATORS)[number];
export type ConditionValue = string | number | boolean;

/** `!=` and `not in` keep rows without a value. Days are ISO dates; a day of a timestamp is all of that day. */
export interface DimensionCondition extends DimensionReference {
  readonly operator: Operator;
  readonly values: readonly ConditionValue[];
}

interface MetricCondition {
  readonly metric: string;
  readonly operator: "=" | "!=" | "<" | "<=" | ">" | ">=";
  readonly value: number;
}

/** A query with the parts that are not named empty. */
export function modelQuery(query: Partial<ModelQuery> & Pick<ModelQuery, "metrics">): ModelQuery {
  return { groupBy: [], where: [], filters: [], having: [], orderBy: [], ...query };
}

/** A model, or a query of one, that cannot be compiled: all faults at once, each with the name of what is wrong. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.faults = faults;
  }
}
