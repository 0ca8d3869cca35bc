import {
  RefreshSchedule_Aggregate as Aggregate,
  type RefreshSchedule_Alert as Alert,
  RefreshSchedule_Comparison as Comparison,
  RefreshSchedule_Frequency as Frequency,
  type RefreshSchedule,
} from "@frontdesk/protos/gda/refresh_schedule";
import { isTimeZone } from "#base";
import type { FieldViolation } from "#status";

const AT = "refresh_schedule";

/** What is wrong with a schedule of a request; `questions`: those on the board of its agent. */
export function scheduleViolations(
  { question, frequency, daysOfWeek, timeZone, alert }: RefreshSchedule,
  questions: readonly string[],
): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const refuse = (field: string, description: string) => violations.push({ field: `${AT}.${field}`, description });
  if (question === "") refuse("question", "Required field is not set.");
  else if (!questions.includes(question)) refuse("question", "is not on the board of the data agent. Pin it first.");
  if (!isOneOf(Frequency, frequency)) refuse("frequency", "Use HOURLY, DAILY or WEEKLY.");
  if (daysOfWeek.length > 0 && frequency !== Frequency.WEEKLY) refuse("days_of_week", "Only WEEKLY has days.");
  if (daysOfWeek.some((day) => day < 1 || day > 7)) refuse("days_of_week", "Days are 1 (Monday) to 7 (Sunday).");
  if (timeZone !== "" && !isTimeZone(timeZone))
    refuse("time_zone", `'${timeZone}' is no time zone. Use a name like Europe/Berlin.`);
  return alert ? [...violations, ...alertViolations(alert)] : violations;
}

function alertViolations({ column, aggregate, comparison, threshold }: Alert): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const refuse = (field: string, description: string) =>
    violations.push({ field: `${AT}.alert.${field}`, description });
  if (!isOneOf(Aggregate, aggregate))
    refuse("aggregate", "Use FIRST_ROW, SUM, AVERAGE, MINIMUM, MAXIMUM or ROW_COUNT.");
  if (!isOneOf(Comparison, comparison)) refuse("comparison", "Use GREATER, GREATER_OR_EQUAL, LESS, LESS_OR_EQUAL, …");
  if (column === "" && aggregate !== Aggregate.ROW_COUNT) refuse("column", "Name the column that is compared.");
  if (column !== "" && aggregate === Aggregate.ROW_COUNT) refuse("column", "ROW_COUNT counts rows, not a column.");
  if (!Number.isFinite(threshold)) refuse("threshold", "must be a number.");
  return violations;
}

/** Values of an enum but the first, which says nothing. */
function isOneOf(values: object, value: number): boolean {
  return value !== 0 && value in values;
}
