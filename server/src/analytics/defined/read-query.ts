import { isJsonObject, type JsonObject, type JsonValue, nonEmptyFields } from "#base";
import { GRAINS, ModelFault, type ModelQuery, modelQuery, OPERATORS } from "#semantics";

const TEXT: JsonObject = { type: "string" };
const list = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: "array",
  items: { type: "object", properties, required: [...required] },
});

/** A query of a semantic model in the response of a language model. */
export const QUERY_PROPERTIES: JsonObject = {
  metrics: { type: "array", items: TEXT },
  group_by: list({ dimension: TEXT, grain: { type: "string", enum: [...GRAINS] }, via: TEXT }, ["dimension"]),
  where: list(
    {
      dimension: TEXT,
      via: TEXT,
      operator: { type: "string", enum: [...OPERATORS] },
      values: { type: "array", items: TEXT },
    },
    ["dimension", "operator"],
  ),
  filters: list({ name: TEXT, negated: { type: "boolean" } }, ["name"]),
  having: list({ metric: TEXT, operator: TEXT, value: { type: "number" } }, ["metric", "operator", "value"]),
  order_by: list({ by: TEXT, descending: { type: "boolean" } }, ["by"]),
  limit: { type: "integer" },
};

/** Reads a query as a language model writes it. What has another form is a fault, so that nothing is left out. */
export function readModelQuery(answer: JsonObject): ModelQuery {
  const faults: string[] = [];
  const itemsOf = (key: string): readonly JsonObject[] => {
    const value = answer[key] ?? [];
    if (Array.isArray(value) && value.every((item) => isJsonObject(item))) return value as readonly JsonObject[];
    faults.push(`${key} must be a list of objects`);
    return [];
  };
  const text = (value: JsonValue | undefined, what: string): string => {
    if (typeof value !== "string" || value === "") faults.push(`${what} must be a text`);
    return String(value ?? "");
  };
  const optional = (value: JsonValue | undefined) => (typeof value === "string" && value !== "" ? value : undefined);
  const { metrics = [], limit } = answer;
  if (!Array.isArray(metrics)) faults.push("metrics must be a list of names");
  const query = modelQuery({
    metrics: Array.isArray(metrics) ? metrics.map((metric) => text(metric, "a metric")) : [],
    groupBy: itemsOf("group_by").map(({ dimension, grain, via }) => {
      const own = GRAINS.find((one) => one === grain);
      if (grain !== undefined && grain !== null && grain !== "" && !own)
        faults.push(`grain ${String(grain)} is none of ${GRAINS.join(", ")}`);
      const way = optional(via);
      return { dimension: text(dimension, "group_by.dimension"), ...nonEmptyFields({ grain: own, via: way }) };
    }),
    where: itemsOf("where").map(({ dimension, operator, values = [], via }) => {
      const own = OPERATORS.find((one) => one === operator);
      if (!own) faults.push(`operator ${String(operator)} is none of ${OPERATORS.join(", ")}`);
      const way = optional(via);
      const list = Array.isArray(values) ? values : [values];
      return {
        dimension: text(dimension, "where.dimension"),
        operator: own ?? "=",
        values: list.map(scalar),
        ...nonEmptyFields({ via: way }),
      };
    }),
    filters: itemsOf("filters").map(({ name, negated }) => ({
      name: text(name, "filters.name"),
      negated: negated === true,
    })),
    having: itemsOf("having").map(({ metric, operator, value }) => {
      const own = (["=", "!=", "<", "<=", ">", ">="] as const).find((one) => one === operator);
      if (!own) faults.push(`operator ${String(operator)} is none of =, !=, <, <=, >, >=`);
      return { metric: text(metric, "having.metric"), operator: own ?? "=", value: Number(value) };
    }),
    orderBy: itemsOf("order_by").map(({ by, descending }) => ({
      by: text(by, "order_by.by"),
      descending: descending === true,
    })),
    ...(typeof limit === "number" && { limit }),
  });
  if (faults.length > 0) throw new ModelFault(faults);
  return query;
}

function scalar(value: JsonValue): string | number | boolean {
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
