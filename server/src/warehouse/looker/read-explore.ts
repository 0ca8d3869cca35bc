import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { Explore, ExploreField } from "../contract.ts";

/** Reads a LookmlModelExplore; undefined where the response is not one. */
export function readExplore(answer: JsonValue, instanceUri: string, model: string, name: string): Explore | undefined {
  if (!isJsonObject(answer) || !isJsonObject(answer.fields)) return undefined;
  const { dimensions, measures } = answer.fields;
  return {
    instanceUri,
    model,
    name,
    label: text(answer.label) || name,
    description: text(answer.description),
    fields: [...readFields(dimensions, "DIMENSION"), ...readFields(measures, "MEASURE")],
    alwaysFilters: objects(answer.always_filter).map((filter) => ({
      field: text(filter.name),
      value: text(filter.value),
    })),
  };
}

function readFields(list: JsonValue | undefined, category: ExploreField["category"]): readonly ExploreField[] {
  return objects(list)
    .filter(({ name, hidden }) => typeof name === "string" && hidden !== true)
    .map((field) => ({
      name: text(field.name),
      label: text(field.label_short) || text(field.label) || text(field.name),
      viewLabel: text(field.view_label),
      category,
      type: typeOf(field),
      lookerType: text(field.type),
      description: text(field.description),
      valueFormat: text(field.value_format),
      values: valuesOf(field),
    }));
}

/** Months, weeks and other units of time stay strings: only days are dates. */
function typeOf({ type, is_numeric: isNumeric }: JsonObject): string {
  const own = text(type);
  if (own === "date" || own === "date_date" || own === "date_week") return "DATE";
  if (own === "count" || own === "count_distinct") return "INT64";
  return isNumeric === true ? "FLOAT64" : "STRING";
}

function valuesOf({ suggestions, enumerations }: JsonObject): readonly string[] {
  const listed = Array.isArray(suggestions) ? suggestions.filter((value) => typeof value === "string") : [];
  return listed.length > 0
    ? listed
    : objects(enumerations)
        .map(({ value }) => text(value))
        .filter(Boolean);
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
