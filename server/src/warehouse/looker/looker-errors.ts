import { thrownMessage } from "#base";
import { type ConnectError, failedPrecondition, permissionDenied, unauthenticated, unavailable } from "#status";
import { QueryError } from "../contract.ts";
import { LookerApiError } from "./looker-api.ts";

/** The status error for explores that cannot be read. The response has not begun, so the request fails. */
export function toStatusError(error: unknown, origin: string, explore: string): unknown {
  if (!(error instanceof LookerApiError)) {
    return error instanceof Error && error.name === "AbortError" ? error : unreachable(origin, error);
  }
  const { status, atLogin, message } = error;
  // A login with a wrong key is answered 404.
  if (status === 401 || (atLogin && status >= 400 && status < 500 && status !== 408 && status !== 429)) {
    return unauthenticated(`Looker (${origin}) rejects the credentials: ${message}. Check the key or token.`, {
      reason: "LOOKER_CREDENTIALS_REFUSED",
      metadata: { instance: origin },
    });
  }
  if (status === 403) {
    return permissionDenied(
      `Looker (${origin}) does not permit this user to read the explore ${explore}: ${message}.`,
      {
        reason: "LOOKER_PERMISSION_DENIED",
        metadata: { instance: origin, explore },
      },
    );
  }
  if (status === 404 || status === 422) {
    return failedPrecondition(
      `Looker (${origin}) has no explore ${explore} for this user: ${message}. Check lookml_model, explore and the user's model access.`,
      { reason: "LOOKER_EXPLORE_NOT_FOUND", metadata: { instance: origin, explore } },
    );
  }
  return unreachable(origin, error);
}

function unreachable(origin: string, error: unknown): ConnectError {
  const text = thrownMessage(error);
  return unavailable(`Looker (${origin}) cannot be reached: ${text}.`, { reason: "LOOKER_UNAVAILABLE" });
}

/** The `QueryError` of a failed query. Only errors of the query itself can be repaired by another query. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof LookerApiError)) return error;
  const { status, message } = error;
  if (status === 401 || status === 403 || error.atLogin) {
    return new QueryError("permission", `Looker does not permit this query: ${message}`, error);
  }
  if (status === 408 || status === 504)
    return new QueryError("timeout", `Looker did not answer in time: ${message}`, error);
  if (status === 400 || status === 404 || status === 422) {
    return new QueryError("invalid", `Looker rejects the query: ${message}`, error);
  }
  return new QueryError("failed", `Looker could not run the query: ${message}`, error);
}
