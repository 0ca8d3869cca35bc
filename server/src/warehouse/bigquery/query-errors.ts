import type { JsonObject } from "#base";
import { QueryError } from "../contract.ts";
import { objectAt, objectsAt, textAt } from "./json-fields.ts";

type Kind = QueryError["kind"];

/** Error kinds by BigQuery's reasons (its documentation, "Error messages"). Other reasons are "failed". */
const KINDS: Readonly<Record<string, Kind>> = {
  accessDenied: "permission",
  authError: "permission",
  billingNotEnabled: "permission",
  billingTierLimitExceeded: "too-expensive",
  bytesBilledLimitExceeded: "too-expensive",
  invalid: "invalid",
  invalidQuery: "invalid",
  notFound: "invalid",
  responseTooLarge: "failed",
  stopped: "cancelled",
  timeout: "timeout",
};

/** The error of an HTTP response: `{error: {message, errors: [{reason}]}}`. */
export function errorFromResponse(status: number, body: JsonObject): QueryError {
  const error = objectAt(body, "error");
  const [first] = objectsAt(error, "errors");
  const reason = textAt(first, "reason");
  const kind = KINDS[reason] ?? KINDS_BY_STATUS[status] ?? "failed";
  return queryError(kind, textAt(error, "message") || `status ${status}`, reason);
}

/** Whether a job exists already: an insert was repeated because the first response was lost. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof QueryError && error.cause === "duplicate";
}

const KINDS_BY_STATUS: Readonly<Record<number, Kind>> = { 400: "invalid", 401: "permission", 404: "invalid" };

/** The `errorResult` of a finished job; undefined where it succeeded. */
export function errorFromJob(job: JsonObject): QueryError | undefined {
  const error = objectAt(job, "status", "errorResult");
  const reason = textAt(error, "reason");
  return reason ? queryError(KINDS[reason] ?? "failed", textAt(error, "message") || reason) : undefined;
}

function queryError(kind: Kind, message: string, reason?: string): QueryError {
  return new QueryError(kind, `BigQuery: ${message}`, reason);
}
