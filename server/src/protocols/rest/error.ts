import { ConnectError, type ErrorBody, httpStatusOf, toErrorBody, toStatusError } from "#status";
import { HttpError } from "../http/http-error.ts";

/** A refusal as HTTP shows it. */
export interface RenderedError {
  readonly httpStatus: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders anything thrown as `{"error": {code, message, status, details}}` with its HTTP status. */
export function renderError(error: unknown): RenderedError {
  if (error instanceof HttpError)
    return { httpStatus: error.body.error.code, body: error.body, headers: error.headers };
  const refusal = error instanceof ConnectError ? error : toStatusError(error);
  return { httpStatus: httpStatusOf(refusal), body: toErrorBody(refusal), headers: {} };
}
