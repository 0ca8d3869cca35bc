import { type ConnectError, failedPrecondition, unavailable } from "#status";

/** A provider of speech that gave no answer. `label` names it; the secrets are taken out of what it said. */
export function speechFailure(label: string, why: string, secrets: readonly string[] = []): ConnectError {
  return unavailable(`The speech provider ${label} failed: ${withoutSecrets(why, secrets)}.`, {
    reason: "SPEECH_UNAVAILABLE",
    metadata: { provider: label },
  });
}

/** A provider that refuses the server itself: another try would end alike. */
export function speechRefused(label: string, why: string, secrets: readonly string[] = []): ConnectError {
  return failedPrecondition(`The speech provider ${label} refused the call: ${withoutSecrets(why, secrets)}.`, {
    reason: "SPEECH_CALL_REFUSED",
    metadata: { provider: label },
  });
}

/** The failure that an HTTP status stands for. */
export function failureOfStatus(label: string, status: number, body: string, secrets: readonly string[]): ConnectError {
  const why = `status ${status}${body.trim() === "" ? "" : `, ${body.trim().slice(0, 300)}`}`;
  const refused = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return refused ? speechRefused(label, why, secrets) : speechFailure(label, why, secrets);
}

/** What went wrong, in a few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const { cause } = error;
  if (error.message === "fetch failed" && cause) return reasonOf(cause);
  return error.message || code || error.name;
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[redacted]")), text);
}
