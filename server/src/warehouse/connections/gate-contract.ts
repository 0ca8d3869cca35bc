import type { Socket } from "node:net";
import type { Egress } from "#base";

/** `require`: with TLS, whatever the certificate. */
export type TlsMode = "verify" | "require" | "disabled";

/** How a database is reached that somebody connected: at hosts that the operator lists, through the gate for outbound requests (CA-63). */
export interface DatabaseGate {
  /** A socket to the database, or to where it sends its clients, for a driver. What is refused ends it with an `EgressError`. */
  connect(host: string, port: number): Socket;
  /** Requests to engines with HTTP. */
  readonly http: Pick<Egress, "fetch" | "open">;
  /** As of the next connection. `ca`: certificates (PEM) of the authorities that are trusted in place of the usual ones; "" for those. */
  tls(): { readonly tls: TlsMode; readonly ca: string };
}
