import { type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { type ModelQuery as ModelQueryMessage, ModelQuerySchema } from "@frontdesk/protos/gda/model_query";
import { definedFields, type JsonObject } from "#base";
import type { ConditionValue, ModelQuery } from "#semantics";
import { readModelQuery } from "./read-query.ts";

/** A query of a semantic model as the API has it: values are texts, names as in the model. */
export function toQueryMessage(query: ModelQuery): MessageInitShape<typeof ModelQuerySchema> {
  const { metrics, groupBy, where, filters, having, orderBy, limit } = query;
  return {
    metrics: [...metrics],
    groupBy: groupBy.map((grouping) => ({ ...grouping })),
    where: where.map(({ values, ...condition }) => ({ ...condition, values: values.map(String) })),
    filters: filters.map((filter) => ({ ...filter })),
    having: having.map((condition) => ({ ...condition })),
    orderBy: orderBy.map((order) => ({ ...order })),
    ...definedFields({ limit }),
  };
}

/** The query of a message. Throws `ModelFault` for words that no query has; names are checked when it is compiled. */
export function fromQueryMessage(message: ModelQueryMessage): ModelQuery {
  const json = toJson(ModelQuerySchema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  return readModelQuery(json as JsonObject);
}

/** The query with other values in its conditions. */
export function withConditionValues(
  query: ModelQuery,
  change: (value: ConditionValue, dimension: string) => ConditionValue,
): ModelQuery {
  const where = query.where.map((condition) => ({
    ...condition,
    values: condition.values.map((value) => change(value, condition.dimension)),
  }));
  return { ...query, where };
}
