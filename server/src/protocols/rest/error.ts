import { challengeOf, type ErrorBody, httpStatusOf, retryAfterOf, toErrorBody, toStatusError } from "#status";
import { HttpError } from "../http/http-error.ts";

/** An error as an HTTP response. */
interface ErrorResponse {
  readonly httpStatus: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** Renders anything thrown as `{"error": {code, message, status, details}}` with its HTTP status. */
export function renderError(error: unknown): ErrorResponse {
  if (error instanceof HttpError)
    return { httpStatus: error.body.error.code, body: error.body, headers: error.headers };
  const statusError = toStatusError(error);
  const challenge = challengeOf(statusError);
  const retryAfter = retryAfterOf(statusError);
  return {
    httpStatus: httpStatusOf(statusError),
    body: toErrorBody(statusError),
    headers: {
      ...(challenge !== undefined && { "www-authenticate": challenge }),
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
  };
}
