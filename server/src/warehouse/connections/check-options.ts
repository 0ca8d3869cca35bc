import { queryOptionFault } from "#base";
import { QueryError } from "../contract.ts";

/** Throws a `QueryError` when a connection string has an option that nothing would read: a misspelled one may be that of TLS. */
export function checkOptions(url: URL, known: readonly string[]): void {
  const fault = queryOptionFault(url, known);
  if (fault !== undefined) throw new QueryError("failed", `The connection string ${fault}.`);
}
