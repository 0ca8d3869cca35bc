import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import pg, { type PoolClient } from "pg";

/** What PostgreSQL needs to end a statement of another connection, and where it is. The driver's types leave most of it out. */
interface Cancellable {
  readonly host: string;
  readonly port: number;
  readonly ssl: unknown;
  readonly sslNegotiation: string;
  readonly processID: number;
  readonly secretKey: number;
}

interface DriverConnection extends EventEmitter {
  readonly stream: Socket;
  connect(port: number | string, host?: string): void;
  /** Asks for TLS. Its answer is awaited whenever the connection has options of TLS, and `sslconnect` follows. */
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
}

/** Milliseconds that a request to end a statement may take: it is not waited for. */
const REQUEST_MS = 5_000;

/**
 * Asks the database, over a connection of its own as PostgreSQL wants it, to end what a connection runs. The statement then fails with 57014 (query_canceled), unless it
 * was about to end. A pooler passes the request on.
 */
export function cancelStatement(client: PoolClient): void {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as unknown as Cancellable;
  const Connection = pg.Connection as unknown as new (config: object) => DriverConnection;
  const connection = new Connection({ ssl, sslNegotiation });
  if (ssl && sslNegotiation !== "direct") connection.on("connect", () => connection.requestSsl());
  connection.on(ssl ? "sslconnect" : "connect", () => connection.cancel(processID, secretKey));
  const end = () => connection.stream.destroy();
  // A request that does not arrive ends nothing: the time-out of the statement is told in any case.
  connection.on("error", end);
  const timer = setTimeout(end, REQUEST_MS).unref();
  connection.on("end", () => clearTimeout(timer));
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}
