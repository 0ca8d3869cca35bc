import {
  RefreshSchedule_Aggregate as Aggregate,
  type RefreshSchedule_Alert as Alert,
  RefreshSchedule_Comparison as Comparison,
  RefreshSchedule_Frequency as Frequency,
} from "@frontdesk/protos/gda/refresh_schedule";

export const FREQUENCIES = [
  { value: "HOURLY", label: "Every hour" },
  { value: "DAILY", label: "Every day" },
  { value: "WEEKLY", label: "Every week" },
] as const satisfies readonly { readonly value: keyof typeof Frequency; readonly label: string }[];

export const AGGREGATES = [
  { value: "FIRST_ROW", label: "The first row" },
  { value: "SUM", label: "The sum" },
  { value: "AVERAGE", label: "The average" },
  { value: "MINIMUM", label: "The least value" },
  { value: "MAXIMUM", label: "The greatest value" },
  { value: "ROW_COUNT", label: "The number of rows" },
] as const satisfies readonly { readonly value: keyof typeof Aggregate; readonly label: string }[];

export const COMPARISONS = [
  { value: "GREATER", label: "is above" },
  { value: "GREATER_OR_EQUAL", label: "is at least" },
  { value: "LESS", label: "is below" },
  { value: "LESS_OR_EQUAL", label: "is at most" },
  { value: "EQUAL", label: "is" },
  { value: "NOT_EQUAL", label: "is not" },
] as const satisfies readonly { readonly value: keyof typeof Comparison; readonly label: string }[];

/** “The sum of revenue is below 50000”, “revenue of the first row is below 50000”. */
export function conditionText({ column, aggregate, comparison, threshold }: Alert): string {
  const what = AGGREGATES.find(({ value }) => Aggregate[value] === aggregate)?.label ?? "";
  const compares = COMPARISONS.find(({ value }) => Comparison[value] === comparison)?.label ?? "";
  if (aggregate === Aggregate.FIRST_ROW) return `${column} of the first row ${compares} ${threshold}`;
  return `${what}${column && ` of ${column}`} ${compares} ${threshold}`;
}

/** “Every day”. */
export function frequencyText(frequency: Frequency): string {
  return FREQUENCIES.find(({ value }) => Frequency[value] === frequency)?.label ?? "";
}
