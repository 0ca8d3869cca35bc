import type { IncomingMessage } from "node:http";
import type { PeerCertificate, TLSSocket } from "node:tls";
import type { ClientCertificate } from "#rpc";

/** Certificates by connection: reading one costs more than the rest of finding out who calls. */
const certificates = new WeakMap<object, ClientCertificate | null>();

/** The certificate that the client of a TLS connection has shown; undefined for none. The server asks for one only where an authority is configured. */
export function clientCertificateOf(request: IncomingMessage): ClientCertificate | undefined {
  // Over HTTP/2 the socket is a stand-in that belongs to one stream, and the session is what lasts.
  const { socket, stream } = request as IncomingMessage & { readonly stream?: { readonly session?: object } };
  if (!("encrypted" in socket) || socket.encrypted !== true) return undefined;
  const connection = stream?.session ?? socket;
  let found = certificates.get(connection);
  if (found === undefined) {
    found = read(socket as TLSSocket);
    certificates.set(connection, found);
  }
  return found ?? undefined;
}

function read(socket: TLSSocket): ClientCertificate | null {
  const certificate = socket.getPeerCertificate();
  if (!certificate?.subject) return null;
  const names = alternativeNames(certificate);
  return {
    problem: socket.authorized ? "" : String(socket.authorizationError),
    commonName: one(certificate.subject.CN),
    emails: [...names("email"), ...many((certificate.subject as Record<string, string>).emailAddress)],
    uris: names("URI"),
    fingerprint: certificate.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
}

/** `email:a@b.example, URI:spiffe://…`; names with characters that could forge another name are quoted by Node, and left out. */
function alternativeNames({ subjectaltname = "" }: PeerCertificate) {
  const names = subjectaltname.includes('"') ? [] : subjectaltname.split(", ");
  return (kind: string) =>
    names.filter((name) => name.startsWith(`${kind}:`)).map((name) => name.slice(kind.length + 1));
}

function many(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

function one(value: string | readonly string[] | undefined): string {
  return many(value)[0] ?? "";
}
