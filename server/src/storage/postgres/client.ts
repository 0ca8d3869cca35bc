import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import pg from "pg";
import { StorageError } from "../errors.ts";
import type { DatabaseOptions } from "../shared-contract.ts";
import { createConnectPace } from "./connect-pace.ts";
import type { TlsOptions } from "./tls-options.ts";

/**
 * The client of one pool. It reads the password and the files of TLS for each connection. One that cannot be made is closed, whoever is at fault: the driver leaves it
 * open when the password is missing, or when what answers is no PostgreSQL, and the database would wait for the sign-in, and a command that failed for the end.
 */
export function clientOf(options: DatabaseOptions, tls: TlsOptions): typeof pg.Client {
  const password = passwordOf(options);
  const pace = createConnectPace();

  class Client extends pg.Client {
    readonly #fault: unknown;

    constructor(config?: string | pg.ClientConfig) {
      const { ssl, fault } = readTls(tls);
      const negotiation = tls.isDirect && ssl !== false ? { sslnegotiation: "direct" } : {};
      super({ ...(config as pg.ClientConfig), ssl, ...negotiation } as pg.ClientConfig);
      this.#fault = fault;
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
      } catch (error) {
        (this as unknown as { readonly connection: { readonly stream: Socket } }).connection.stream.destroy();
        throw error;
      }
    }
  }
  return Client as typeof pg.Client;
}

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
