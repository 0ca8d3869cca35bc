import type { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import pg from "pg";
import { StorageError } from "../errors.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import type { AddressOptions } from "./address-options.ts";
import type { ConnectPace } from "./connect-pace.ts";
import type { TlsOptions } from "./tls-options.ts";

/** What the clients of one pool share. */
interface ClientOptions extends Pick<AddressOptions, "tls" | "channelBinding"> {
  readonly pace: ConnectPace;
  /** Called whenever something comes over a connection that is made. */
  readonly onHeard: () => void;
}

/**
 * The client of one pool. It reads the password and the files of TLS for each connection. One that cannot be made is closed, whoever is at fault: the driver leaves it
 * open when the password is missing, or when what answers is no PostgreSQL, and the database would wait for the sign-in, and a command that failed for the end.
 */
export function clientOf(
  options: DatabaseOptions,
  { tls, channelBinding, pace, onHeard }: ClientOptions,
): typeof pg.Client {
  const password = passwordOf(options);

  class Client extends pg.Client {
    readonly #fault: unknown;

    constructor(config?: string | pg.ClientConfig) {
      const { ssl, fault } = readTls(tls);
      const negotiation = tls.isDirect && ssl !== false ? { sslnegotiation: "direct" } : {};
      const enableChannelBinding = channelBinding !== "disable";
      super({ ...(config as pg.ClientConfig), ssl, ...negotiation, enableChannelBinding } as pg.ClientConfig);
      this.#fault = fault;
      if (channelBinding === "require") requireChannelBinding(connectionOf(this), ssl !== false);
      // An option would not do: the driver prefers the empty password of an address without one. Its types know of texts only.
      if (password) Object.assign(this, { password });
      // The pool listens once it has the connection; what fails before ends it.
      this.on("error", () => {});
    }

    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): unknown {
      const connected = pace.enter(() => this.#connect());
      if (!callback) return connected.then(() => this);
      // The driver calls with null when there is no error, which its types do not say.
      return void connected.then(() => callback(null as unknown as Error), callback);
    }

    async #connect(): Promise<void> {
      if (this.#fault) throw this.#fault;
      try {
        await super.connect();
        connectionOf(this).stream.on("data", onHeard);
      } catch (error) {
        connectionOf(this).stream.destroy();
        throw error;
      }
    }
  }
  return Client as typeof pg.Client;
}

/** The connection of a client, with an event for each message of the database. Its types leave it out. */
interface DriverConnection extends EventEmitter {
  readonly stream: Socket;
}

/** Ends a connection as if it had broken: what waits for an answer fails with the error. */
export function breakConnection(client: pg.Client, error: Error): void {
  connectionOf(client).stream.destroy(error);
}

function connectionOf(client: pg.Client): DriverConnection {
  return (client as unknown as { readonly connection: DriverConnection }).connection;
}

/** Ends a connection before the password is sent, unless the sign-in is bound to the certificate: the driver asks for that and goes on without. */
function requireChannelBinding(connection: DriverConnection, isEncrypted: boolean): void {
  let isBound = false;
  const refuse = () => {
    if (!isBound) connection.emit("error", new StorageError("FAILED", UNBOUND));
  };
  connection.on("authenticationSASL", ({ mechanisms }: { readonly mechanisms: readonly string[] }) => {
    isBound = isEncrypted && mechanisms.includes("SCRAM-SHA-256-PLUS");
    refuse();
  });
  for (const event of ["authenticationCleartextPassword", "authenticationMD5Password", "authenticationOk"])
    connection.on(event, refuse);
}

const UNBOUND =
  "The database cannot bind the sign-in to its certificate, which channel_binding=require of FRONTDESK_DATABASE_URL asks for: use TLS and a password with SCRAM, or sslmode=verify-full without it.";

/** The fault is thrown when the client connects: the driver has no place for one of its constructor. */
function readTls(tls: TlsOptions): { readonly ssl: pg.ClientConfig["ssl"]; readonly fault?: unknown } {
  try {
    return { ssl: tls.read() };
  } catch (fault) {
    return { ssl: false, fault };
  }
}

/** What gives the password of each connection; undefined where the URL has it. */
function passwordOf({ password, passwordFile }: DatabaseOptions): (() => string) | undefined {
  if (passwordFile !== undefined) return () => readPassword(passwordFile);
  return password === undefined ? undefined : () => password;
}

function readPassword(path: string): string {
  const fault = (what: string) =>
    new StorageError("FAILED", `The password file '${path}' of the database ${what}: write the password into it.`);
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw fault(code === "ENOENT" ? "is missing" : `cannot be read (${code})`);
  }
  if (text === "") throw fault("is empty");
  return text;
}
