import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { ConnectionConfiguration } from "tedious";
import { checkOptions } from "../connections/check-options.ts";
import type { DatabaseGate } from "../connections/gate-contract.ts";
import { QueryError } from "../contract.ts";

/** Where and how to connect, and what the connection string names. */
export interface SqlServerAddress {
  readonly configuration: ConnectionConfiguration;
  readonly database: string;
  readonly schema: string | undefined;
}

const FORM = "sqlserver://user:password@host:1433/database/schema";
const CONNECT_TIMEOUT_MS = 10_000;
const CANCEL_TIMEOUT_MS = 5_000;
/** Longer than any result may be: a longer text is cut by the server. */
const LONGEST_TEXT = 32 * 1024 * 1024;
const MODES = ["disable", "require", "verify-full"] as const;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads `sqlserver://user:password@host:port/database/schema?encrypt=…&ca=…`. `encrypt` is `disable`, `require` (any certificate) or `verify-full`; without it the certificate is
 * verified, except on this machine. `ca`: a file with the certificates that are trusted. Throws a `QueryError` without the string, which has a password.
 */
export function readConnectionString(text: string, gate?: DatabaseGate): SqlServerAddress {
  const url = URL.parse(text);
  const [database, schema] = (url?.pathname ?? "").split("/").filter(Boolean).map(decodeURIComponent);
  if (!url || !/^(sqlserver|mssql):$/.test(url.protocol) || url.hostname === "" || !database)
    throw new QueryError("failed", `The connection string must be ${FORM}.`);
  checkOptions(url, ["encrypt", "ca"]);
  return {
    ...{ database, schema },
    configuration: {
      server: url.hostname.replace(/^\[|\]$/g, ""),
      authentication: {
        type: "default",
        options: { userName: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
      },
      options: {
        ...{ port: url.port === "" ? 1433 : Number(url.port), database, appName: "frontdesk", readOnlyIntent: true },
        ...tlsOptions(url, gate?.tls().ca),
        ...(gate && { connector: connectorOf(gate) }),
        // Times are ended by a timer of ours, for the whole of a question.
        ...{ connectTimeout: CONNECT_TIMEOUT_MS, requestTimeout: 0, cancelTimeout: CANCEL_TIMEOUT_MS },
        ...{ textsize: LONGEST_TEXT, useUTC: true, abortTransactionOnError: true },
      },
    },
  };
}

/** Takes the host and port of the address, or of where the server sends its clients: the types of the driver leave them out. */
function connectorOf(gate: DatabaseGate): () => Promise<Socket> {
  const connector = ({ host, port }: { readonly host: string; readonly port: number }) =>
    connected(gate.connect(host, port));
  return connector as unknown as () => Promise<Socket>;
}

/** The driver takes a socket that is connected. */
function connected(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(socket);
    });
  });
}

function tlsOptions(
  url: URL,
  trusted = "",
): Pick<
  NonNullable<ConnectionConfiguration["options"]>,
  "encrypt" | "trustServerCertificate" | "cryptoCredentialsDetails"
> {
  const given = url.searchParams.get("encrypt") ?? (LOOPBACK.has(url.hostname) ? "disable" : "verify-full");
  const mode = MODES.find((one) => one === given);
  if (!mode)
    throw new QueryError("failed", `The connection string has an unknown encrypt; it may be ${MODES.join(", ")}.`);
  const file = url.searchParams.get("ca");
  const ca = file ? readFileSync(file, "utf8") : trusted;
  return {
    encrypt: mode !== "disable",
    trustServerCertificate: mode === "require",
    ...(ca !== "" && { cryptoCredentialsDetails: { ca } }),
  };
}
