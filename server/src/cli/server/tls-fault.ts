import type { ConnectError } from "#status";

/** What Node says of a certificate that it does not trust. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Why a server was not reached over TLS, and what to do; undefined for any other error. */
export function tlsFaultText({ cause, rawMessage }: ConnectError, address: string): string | undefined {
  const { code = "" } = (cause ?? {}) as NodeJS.ErrnoException;
  if (UNTRUSTED.has(code)) {
    const [reason] = rawMessage.split(";");
    return `the certificate of ${address} is not trusted (${reason}). Name the file of its authority in NODE_EXTRA_CA_CERTS.`;
  }
  if (!/before secure TLS connection|wrong version number|packet length too long/i.test(rawMessage)) return undefined;
  return `no TLS is spoken at ${address}. Perhaps the server is at ${address.replace(/^https/, "http")}.`;
}
