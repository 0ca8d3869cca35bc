import {
  type ConnectError,
  type ErrorReason,
  failedPrecondition,
  invalidArgument,
  permissionDenied,
  resourceExhausted,
  unauthenticated,
  unavailable,
} from "#status";
import type { CallFailure } from "./call-failure.ts";
import type { Redact } from "./redact.ts";

const MAX_MESSAGE = 1000;

/**
 * A failure as the refusal that leaves the room: it names the model, the HTTP status and the provider's own message,
 * never a key. `attempts` is how often it was tried.
 */
export function toRefusal(label: string, failure: CallFailure, attempts: number, redact: Redact): ConnectError {
  const said = redact(failure.message).slice(0, MAX_MESSAGE);
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : "";
  const happened = failure.status === 0 ? "could not be reached" : `answered with HTTP status ${failure.status}`;
  return refusalOf(failure.status, `Model '${label}' ${happened}${tried}: ${said}`, {
    reason: "MODEL_CALL_FAILED",
    metadata: { model: label, httpStatus: String(failure.status) },
  });
}

function refusalOf(status: number, message: string, info: ErrorReason): ConnectError {
  if (status === 0 || status === 408 || status >= 500) return unavailable(message, info);
  if (status === 401) return unauthenticated(`${message.replace(/\.?$/, ".")} Check the provider's API key.`, info);
  if (status === 403) return permissionDenied(message, info);
  if (status === 429) return resourceExhausted(message, info);
  // 402: no credit; 404: no such model. The request is sound, the configuration or the account is not.
  if (status === 402 || status === 404) return failedPrecondition(message, info);
  return invalidArgument({ field: "", description: message });
}
