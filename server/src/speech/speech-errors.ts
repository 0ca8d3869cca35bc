import { type ConnectError, failedPrecondition, unavailable } from "#status";

/** The status error (UNAVAILABLE) of a speech provider that failed. `label` names it; `secrets` are redacted from its message. */
export function speechUnavailable(label: string, why: string, secrets: readonly string[] = []): ConnectError {
  return unavailable(`The speech provider ${label} failed: ${withoutSecrets(why, secrets)}.`, {
    reason: "SPEECH_UNAVAILABLE",
    metadata: { provider: label },
  });
}

/** The status error (FAILED_PRECONDITION) of a speech provider that rejected the call: a retry would fail too. */
export function speechCallRejected(label: string, why: string, secrets: readonly string[] = []): ConnectError {
  return failedPrecondition(`The speech provider ${label} refused the call: ${withoutSecrets(why, secrets)}.`, {
    reason: "SPEECH_CALL_REFUSED",
    metadata: { provider: label },
  });
}

/** The status error for an HTTP response. */
export function httpStatusError(label: string, status: number, body: string, secrets: readonly string[]): ConnectError {
  const why = `status ${status}${body.trim() === "" ? "" : `, ${body.trim().slice(0, 300)}`}`;
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return refused ? speechCallRejected(label, why, secrets) : speechUnavailable(label, why, secrets);
}

/** A short message of an error. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const { cause } = error;
  if (error.message === "fetch failed" && cause) return errorMessage(cause);
  return error.message || code || error.name;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[redacted]")), text);
}
