import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import type { EgressTls } from "#base";
import { type CredentialGrant, type OutboundContext, OutboundError, type OutboundRoute } from "./contract.ts";
import { requireGrant } from "./grants.ts";
import type { ReadSecret } from "./secrets.ts";

/**
 * TLS as a definition and its app want it: the authorities of `tls_config` replace the usual ones, and the app's client
 * certificate is shown, its key read at call time (common.proto, app.proto). Undefined = as usual.
 */
export async function connectionTls(
  { tlsConfig }: OutboundRoute,
  { app, settings }: Pick<OutboundContext, "app" | "settings">,
  secret: ReadSecret,
  grants: readonly CredentialGrant[],
): Promise<EgressTls | undefined> {
  const ca = (tlsConfig?.caCerts ?? []).map(({ displayName, cert }) => toPem(displayName, cert));
  const client = settings?.clientCertificateSettings;
  if (ca.length === 0 && !client) return undefined;
  // The key signs and is not sent, so where the request goes does not count.
  const own = (name: string) => {
    requireGrant(name, { app, urls: [] }, grants);
    return secret(name);
  };
  return {
    ...(ca.length > 0 && { ca }),
    ...(client && { cert: client.tlsCertificate, key: await own(client.privateKey) }),
    ...(client?.passphrase && { passphrase: await own(client.passphrase) }),
  };
}

/** The same for a token endpoint: it may be in public where the server is not, so the usual authorities count beside those of the definition. */
export function tokenTls(tls: EgressTls | undefined): EgressTls | undefined {
  return tls?.ca ? { ...tls, ca: [...rootCertificates, ...tls.ca] } : tls;
}

/** DER by the proto; PEM is what people paste. */
function toPem(name: string, certificate: Uint8Array): string {
  try {
    return new X509Certificate(certificate).toString();
  } catch (error) {
    throw new OutboundError("failed", `The CA certificate '${name}' cannot be read; tls_config takes DER.`, error);
  }
}
