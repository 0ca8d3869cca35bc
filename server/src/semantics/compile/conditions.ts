import type { DimensionType } from "../model/model.ts";
import type { ConditionValue, DimensionCondition } from "../query/model-query.ts";
import type { CompileContext } from "./joined-rows.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?$/;

/** A condition on a column as SQL (SEM-5). Values must fit the type of the dimension. */
export function conditionSql(
  column: string,
  type: DimensionType,
  condition: DimensionCondition,
  context: CompileContext,
): string {
  const { operator, dimension } = condition;
  const { dialect, fault } = context;
  const fail = (message: string) => {
    fault(`condition on ${dimension}: ${message}`);
    return "TRUE";
  };
  if (operator === "is null" || operator === "is not null")
    return condition.values.length > 0 ? fail(`${operator} takes no value`) : `${column} ${operator.toUpperCase()}`;
  const values = condition.values.map((value) => literal(value, type, context));
  const [first] = values;
  const bad = condition.values.find((_, at) => values[at] === undefined);
  if (bad !== undefined) return fail(`${JSON.stringify(bad)} is no ${type}`);
  if (first === undefined) return fail(`${operator} needs a value`);
  // A day of a timestamp is all of that day.
  const byDay = type === "timestamp" && condition.values.every((value) => DAY.test(String(value)));
  const compared = byDay ? dialect.day(column) : column;
  if (operator === "in") return `${compared} IN (${values.join(", ")})`;
  if (operator === "not in") return `(${column} IS NULL OR ${compared} NOT IN (${values.join(", ")}))`;
  if (values.length > 1) return fail(`${operator} takes one value`);
  if (operator === "contains")
    return type === "text" ? dialect.contains(column, String(condition.values[0])) : fail("contains needs a text");
  if (operator === "!=") return `(${column} IS NULL OR ${compared} <> ${first})`;
  return `${compared} ${operator} ${first}`;
}

/** A value as SQL; undefined where it does not fit the type. */
function literal(value: ConditionValue, type: DimensionType, { dialect }: CompileContext): string | undefined {
  switch (type) {
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) ? String(number) : undefined;
    }
    case "boolean":
      return /^(true|false)$/i.test(String(value)) ? String(value).toUpperCase() : undefined;
    case "text":
      return dialect.text(String(value));
    case "date":
    case "timestamp": {
      const text = String(value);
      if (!isDate(text)) return undefined;
      if (DAY.test(text)) return dialect.date(text);
      return type === "timestamp" && MOMENT.test(text) ? dialect.timestamp(text.replace("T", " ")) : undefined;
    }
  }
}

function isDate(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10));
}
