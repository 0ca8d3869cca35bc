import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import type { ConnectTarget, EgressTls } from "#base";
import { type CredentialGrant, type OutboundContext, OutboundError, type OutboundRoute } from "./contract.ts";
import { requireGrant } from "./grants.ts";
import type { ReadSecret } from "./secrets.ts";

/**
 * TLS settings of a connection: the CA certificates of `tls_config` replace the public ones, and the app's client certificate is
 * presented, with its key read for this call (common.proto, app.proto). Undefined = the defaults.
 */
export async function connectionTls(
  { tlsConfig }: OutboundRoute,
  { app, settings }: Pick<OutboundContext, "app" | "settings">,
  readSecret: ReadSecret,
  grants: readonly CredentialGrant[],
): Promise<EgressTls | undefined> {
  const ca = (tlsConfig?.caCerts ?? []).map(({ displayName, cert }) => toPem(displayName, cert));
  const client = settings?.clientCertificateSettings;
  if (ca.length === 0 && !client) return undefined;
  // The key signs and is never sent, so the grant does not depend on the host.
  const readGranted = (name: string) => {
    requireGrant(name, { app, urls: [] }, grants);
    return readSecret(name);
  };
  return {
    ...(ca.length > 0 && { ca }),
    ...(client && { cert: client.tlsCertificate, key: await readGranted(client.privateKey) }),
    ...(client?.passphrase && { passphrase: await readGranted(client.passphrase) }),
  };
}

/** The same for a token endpoint. It may be public where the server is private, so public CA certificates count beside those of the definition. */
export function tokenEndpointTls(tls: EgressTls | undefined): EgressTls | undefined {
  return tls?.ca ? { ...tls, ca: [...rootCertificates, ...tls.ca] } : tls;
}

/** The proto asks for DER; people also paste PEM. */
function toPem(name: string, certificate: Uint8Array): string {
  try {
    return new X509Certificate(certificate).toString();
  } catch (error) {
    throw new OutboundError("failed", `The CA certificate '${name}' cannot be read; tls_config takes DER.`, error);
  }
}

/** The address of a Service Directory service in the operator's map; undefined when the route names no service. */
export function serviceDirectoryAddress(
  { serviceDirectoryConfig }: OutboundRoute,
  addresses: Readonly<Record<string, string>>,
): ConnectTarget | undefined {
  const service = serviceDirectoryConfig?.service ?? "";
  if (service === "") return undefined;
  const address = Object.hasOwn(addresses, service) ? addresses[service] : undefined;
  if (address === undefined)
    throw new OutboundError(
      "refused",
      `The Service Directory service '${service}' is not known to this server. The operator can map it to an address under 'outbound.serviceDirectory' of the config file.`,
    );
  const { hostname, port } = new URL(`http://${address}`);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}
