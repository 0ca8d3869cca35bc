import { type ConnectError, failedPrecondition, permissionDenied, unauthenticated, unavailable } from "#status";
import { QueryError } from "../contract.ts";
import { LookerApiError } from "./looker-api.ts";

/** What the caller is told when explores cannot be read: nothing was answered yet, so it is a refusal. */
export function toRefusal(error: unknown, origin: string, explore: string): unknown {
  if (!(error instanceof LookerApiError)) {
    return error instanceof Error && error.name === "AbortError" ? error : unreachable(origin, error);
  }
  const { status, atLogin, message } = error;
  // A login with a wrong key is answered 404.
  if (status === 401 || (atLogin && status >= 400 && status < 500 && status !== 408 && status !== 429)) {
    return unauthenticated(`Looker (${origin}) does not take the credentials: ${message}. Check the key or token.`, {
      reason: "LOOKER_CREDENTIALS_REFUSED",
      metadata: { instance: origin },
    });
  }
  if (status === 403) {
    return permissionDenied(`Looker (${origin}) does not let this user see the explore ${explore}: ${message}.`, {
      reason: "LOOKER_PERMISSION_DENIED",
      metadata: { instance: origin, explore },
    });
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
  const words = error instanceof Error ? error.message : String(error);
  return unavailable(`Looker (${origin}) cannot be asked: ${words}.`, { reason: "LOOKER_UNAVAILABLE" });
}

/** What a query's failure means to whoever may mend the query: only what Looker says of the query itself is mended. */
export function toQueryError(error: unknown): unknown {
  if (!(error instanceof LookerApiError)) return error;
  const { status, message } = error;
  if (status === 401 || status === 403 || error.atLogin) {
    return new QueryError("permission", `Looker does not let this user ask that: ${message}`, error);
  }
  if (status === 408 || status === 504) return new QueryError("timeout", `Looker took too long: ${message}`, error);
  if (status === 400 || status === 404 || status === 422) {
    return new QueryError("invalid", `Looker does not take the query: ${message}`, error);
  }
  return new QueryError("failed", `Looker could not run the query: ${message}`, error);
}
