import {
  RefreshSchedule_Aggregate as Aggregate,
  type RefreshSchedule_Alert as Alert,
  RefreshSchedule_Comparison as Comparison,
} from "@frontdesk/protos/gda/refresh_schedule";
import { failedPrecondition } from "#status";
import type { ResultSet } from "#warehouse";

/** What a condition says of rows. */
interface Judgement {
  /** Undefined where no row has one. */
  readonly value: number | undefined;
  readonly isMet: boolean;
}

const COMPARE: Readonly<Record<Comparison, (value: number, threshold: number) => boolean>> = {
  [Comparison.COMPARISON_UNSPECIFIED]: () => false,
  [Comparison.GREATER]: (value, threshold) => value > threshold,
  [Comparison.GREATER_OR_EQUAL]: (value, threshold) => value >= threshold,
  [Comparison.LESS]: (value, threshold) => value < threshold,
  [Comparison.LESS_OR_EQUAL]: (value, threshold) => value <= threshold,
  [Comparison.EQUAL]: (value, threshold) => value === threshold,
  [Comparison.NOT_EQUAL]: (value, threshold) => value !== threshold,
};

/** Compares a value of the rows (CA-52). FAILED_PRECONDITION where the rows do not have it, with what they have. */
export function judge(alert: Alert, rows: ResultSet): Judgement {
  const value = comparedValue(alert, rows);
  const isMet = value !== undefined && COMPARE[alert.comparison](value, alert.threshold);
  if (rows.truncated && alert.aggregate !== Aggregate.FIRST_ROW && !isCertain(alert, isMet)) throw cutOff();
  return { value, isMet };
}

/** More rows than were read only make a count larger. */
function isCertain({ aggregate, comparison }: Alert, isMet: boolean): boolean {
  const grows = comparison === Comparison.GREATER || comparison === Comparison.GREATER_OR_EQUAL;
  return aggregate === Aggregate.ROW_COUNT && grows && isMet;
}

function comparedValue({ column, aggregate }: Alert, { columns, rows }: ResultSet): number | undefined {
  if (aggregate === Aggregate.ROW_COUNT) return rows.length;
  const at = columns.findIndex(({ name }) => name === column);
  if (at < 0) throw unknownColumn(column, columns);
  const cells = (aggregate === Aggregate.FIRST_ROW ? rows.slice(0, 1) : rows).map((row) => row[at] ?? null);
  const numbers = cells.flatMap((cell) => (cell === null ? [] : numberOf(cell, column)));
  if (numbers.length === 0) return undefined;
  if (aggregate === Aggregate.MINIMUM) return numbers.reduce((least, each) => Math.min(least, each));
  if (aggregate === Aggregate.MAXIMUM) return numbers.reduce((most, each) => Math.max(most, each));
  const sum = numbers.reduce((total, each) => total + each, 0);
  return aggregate === Aggregate.AVERAGE ? sum / numbers.length : sum;
}

function numberOf(cell: unknown, column: string): number {
  const number =
    typeof cell === "number" || (typeof cell === "string" && cell.trim() !== "") ? Number(cell) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw failedPrecondition(`The alert compares numbers, and '${column}' has the value ${JSON.stringify(cell)}.`, {
    reason: "ALERT_NOT_A_NUMBER",
    metadata: { column },
  });
}

function unknownColumn(column: string, columns: ResultSet["columns"]) {
  const names = columns.map(({ name }) => name).join(", ");
  return failedPrecondition(`The rows have no column '${column}', which the alert compares; they have ${names}.`, {
    reason: "ALERT_COLUMN_UNKNOWN",
    metadata: { column },
  });
}

function cutOff() {
  return failedPrecondition(
    "The rows were cut off, so the value of the alert is not known. Let the SQL of the question compute it, and compare the first row.",
    { reason: "ALERT_ROWS_CUT_OFF", metadata: {} },
  );
}
