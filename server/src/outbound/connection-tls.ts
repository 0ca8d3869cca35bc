import { X509Certificate } from "node:crypto";
import type { EgressTls } from "#base";
import { type AppNetwork, OutboundError, type OutboundRoute } from "./contract.ts";
import type { ReadSecret } from "./secrets.ts";

/**
 * TLS as a definition and its app want it: the authorities of `tls_config` replace the usual ones, and the app's client
 * certificate is shown, its key read at call time (common.proto, app.proto). Undefined = as usual.
 */
export async function connectionTls(
  { tlsConfig }: OutboundRoute,
  settings: AppNetwork | undefined,
  secret: ReadSecret,
): Promise<EgressTls | undefined> {
  const ca = (tlsConfig?.caCerts ?? []).map(({ displayName, cert }) => toPem(displayName, cert));
  const client = settings?.clientCertificateSettings;
  if (ca.length === 0 && !client) return undefined;
  return {
    ...(ca.length > 0 && { ca }),
    ...(client && { cert: client.tlsCertificate, key: await secret(client.privateKey) }),
    ...(client?.passphrase && { passphrase: await secret(client.passphrase) }),
  };
}

/** DER by the proto; PEM is what people paste. */
function toPem(name: string, certificate: Uint8Array): string {
  try {
    return new X509Certificate(certificate).toString();
  } catch (error) {
    throw new OutboundError("failed", `The CA certificate '${name}' cannot be read; tls_config takes DER.`, error);
  }
}
