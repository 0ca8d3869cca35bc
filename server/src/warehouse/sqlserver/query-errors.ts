import { QueryError } from "../contract.ts";

/** Kinds by the numbers of errors (SQL Server, "Database engine events and errors"). */
const PERMISSION = new Set([229, 230, 262, 297, 300, 916, 4060, 18452, 18456]);
const LOCK_TIMEOUT = 1222;
const READ_ONLY = new Set([3906, 3908]);
/** Errors of these severities are in the statement. */
const OF_STATEMENTS = { from: 11, to: 16 };

/** What the driver tells of an error, which the server or the driver itself may have made. */
interface DriverError {
  readonly message: string;
  readonly code?: string;
  readonly number?: number;
  readonly class?: number;
}

/** The error of a statement, by its number and severity: whether the caller may not, the statement is wrong, or the server failed. */
export function toQueryError(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  const { message, number = 0, class: severity = 0 } = error as DriverError;
  if (PERMISSION.has(number)) return new QueryError("permission", message, error);
  if (number === LOCK_TIMEOUT) return new QueryError("timeout", message, error);
  if (READ_ONLY.has(number)) return new QueryError("rejected", message, error);
  const isOfStatement = severity >= OF_STATEMENTS.from && severity <= OF_STATEMENTS.to;
  return new QueryError(isOfStatement ? "invalid" : "failed", message, error);
}

/** Why no connection could be made. */
export function connectionError(error: unknown): QueryError {
  if (error instanceof QueryError) return error;
  const { message, code } = error as DriverError;
  return new QueryError(
    code === "ELOGIN" ? "permission" : "failed",
    `The database cannot be reached: ${message}.`,
    error,
  );
}
