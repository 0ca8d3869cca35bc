/** Comparisons of dimensions with values, as the semantic model writes them. */
export const OPERATORS = [
  { value: "=", label: "is" },
  { value: "!=", label: "is not" },
  { value: "in", label: "is one of" },
  { value: "not in", label: "is none of" },
  { value: ">=", label: "from" },
  { value: ">", label: "after" },
  { value: "<", label: "before" },
  { value: "<=", label: "until" },
  { value: "contains", label: "contains" },
  { value: "is null", label: "has no value" },
  { value: "is not null", label: "has a value" },
] as const;

/** Comparisons of metrics with numbers. */
export const COMPARISONS = [
  { value: ">", label: "above" },
  { value: ">=", label: "at least" },
  { value: "<", label: "below" },
  { value: "<=", label: "at most" },
  { value: "=", label: "equal to" },
  { value: "!=", label: "other than" },
] as const;

/** Whether a comparison says all by itself. */
export function withoutValues(operator: string): boolean {
  return operator === "is null" || operator === "is not null";
}
