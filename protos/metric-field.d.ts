/**
 * The fields of a result of an evaluation that are metrics: those with an outcome or a score, one or many. Whoever reads results has a table with an
 * entry for each of these, so that a metric that is added is one that the compiler asks every reader about.
 */
export type MetricField<Result> = {
  [Field in keyof Result]-?: IsScored<ItemOf<NonNullable<Result[Field]>>> extends true ? Field : never;
}[keyof Result];

type ItemOf<Value> = Value extends readonly (infer Item)[] ? Item : Value;

type IsScored<Value> = "outcome" extends keyof Value ? true : "score" extends keyof Value ? true : false;
