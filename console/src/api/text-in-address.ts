/** A text of the query of an address, where the router reads what looks like a number or a truth value as one; undefined for none. */
export function textInAddress(value: unknown): string | undefined {
  return value === undefined || value === "" || typeof value === "object" ? undefined : String(value);
}
