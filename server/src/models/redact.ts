/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

/** Creates the redaction for a provider's secrets; empty ones are passed over. */
export function createRedact(secrets: readonly string[]): Redact {
  const present = secrets.filter((secret) => secret !== "");
  return (text) => present.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
}
