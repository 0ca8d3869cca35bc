import { isJsonObject, type JsonObject, type JsonValue, objectsIn, textOrEmpty, textsIn } from "#base";
import type { Explore, ExploreField } from "../contract.ts";

/** Reads a LookmlModelExplore; undefined where the response is not one. */
export function readExplore(answer: JsonValue, instanceUri: string, model: string, name: string): Explore | undefined {
  if (!isJsonObject(answer) || !isJsonObject(answer.fields)) return undefined;
  const { dimensions, measures } = answer.fields;
  return {
    instanceUri,
    model,
    name,
    label: textOrEmpty(answer.label) || name,
    description: textOrEmpty(answer.description),
    fields: [...readFields(dimensions, "DIMENSION"), ...readFields(measures, "MEASURE")],
    alwaysFilters: objectsIn(answer.always_filter).map((filter) => ({
      field: textOrEmpty(filter.name),
      value: textOrEmpty(filter.value),
    })),
  };
}

function readFields(list: JsonValue | undefined, category: ExploreField["category"]): readonly ExploreField[] {
  return objectsIn(list)
    .filter(({ name, hidden }) => typeof name === "string" && hidden !== true)
    .map((field) => ({
      name: textOrEmpty(field.name),
      label: textOrEmpty(field.label_short) || textOrEmpty(field.label) || textOrEmpty(field.name),
      viewLabel: textOrEmpty(field.view_label),
      category,
      type: typeOf(field),
      lookerType: textOrEmpty(field.type),
      description: textOrEmpty(field.description),
      valueFormat: textOrEmpty(field.value_format),
      values: valuesOf(field),
    }));
}

/** Months, weeks and other units of time stay strings: only days are dates. */
function typeOf({ type, is_numeric: isNumeric }: JsonObject): string {
  const own = textOrEmpty(type);
  if (own === "date" || own === "date_date" || own === "date_week") return "DATE";
  if (own === "count" || own === "count_distinct") return "INT64";
  return isNumeric === true ? "FLOAT64" : "STRING";
}

function valuesOf({ suggestions, enumerations }: JsonObject): readonly string[] {
  const listed = textsIn(suggestions);
  return listed.length > 0
    ? listed
    : objectsIn(enumerations)
        .map(({ value }) => textOrEmpty(value))
        .filter(Boolean);
}
