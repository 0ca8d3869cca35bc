import type { JsonObject } from "#base";
import { QueryError } from "../contract.ts";
import { objectAt, objectsAt, textAt } from "./wire-fields.ts";

type Kind = QueryError["kind"];

/** BigQuery's reasons in this room's kinds (its documentation, "Error messages"). What is not here failed. */
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

/** An answer of HTTP that is an error: `{error: {message, errors: [{reason}]}}`. */
export function fromResponse(status: number, body: JsonObject): QueryError {
  const error = objectAt(body, "error");
  const [first] = objectsAt(error, "errors");
  const reason = textAt(first, "reason");
  const kind = KINDS[reason] ?? KINDS_BY_STATUS[status] ?? "failed";
  return told(kind, textAt(error, "message") || `status ${status}`, reason);
}

/** Whether what was to be made is there already: a repeated insert, of which the first answer was lost. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof QueryError && error.cause === "duplicate";
}

const KINDS_BY_STATUS: Readonly<Record<number, Kind>> = { 400: "invalid", 401: "permission", 404: "invalid" };

/** What a finished job says went wrong: its `errorResult`, undefined where nothing did. */
export function fromJob(job: JsonObject): QueryError | undefined {
  const error = objectAt(job, "status", "errorResult");
  const reason = textAt(error, "reason");
  return reason ? told(KINDS[reason] ?? "failed", textAt(error, "message") || reason) : undefined;
}

function told(kind: Kind, message: string, reason?: string): QueryError {
  return new QueryError(kind, `BigQuery: ${message}`, reason);
}
