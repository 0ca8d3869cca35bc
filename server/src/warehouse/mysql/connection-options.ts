import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "mysql2";
import { checkOptions } from "../connections/check-options.ts";
import type { DatabaseGate } from "../connections/gate-contract.ts";
import { QueryError } from "../contract.ts";

/** Where and how to connect, and the schema that the connection string names. */
export interface MysqlAddress {
  readonly options: ConnectionOptions;
  readonly schema: string | undefined;
}

const CONNECT_TIMEOUT_MS = 10_000;
const MODES = ["DISABLED", "REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"] as const;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads `mysql://user:password@host:port/schema?ssl-mode=…&ssl-ca=…`. `ssl-mode` is as of the clients of MySQL; without it the certificate is verified,
 * except on this machine. Throws a `QueryError` without the string, which has a password.
 */
export function readConnectionString(text: string, gate?: DatabaseGate): MysqlAddress {
  const url = URL.parse(text);
  if (!url || !/^(mysql|mariadb):$/.test(url.protocol) || url.hostname === "")
    throw new QueryError("failed", "The connection string must be mysql://user:password@host:port/schema.");
  checkOptions(url, ["ssl-mode", "ssl-ca"]);
  const schema = decodeURIComponent(url.pathname.slice(1));
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? 3306 : Number(url.port);
  return {
    schema: schema === "" ? undefined : schema,
    options: {
      ...{ host, port, ...(gate && { stream: () => gate.connect(host, port) }) },
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      ...tlsOptions(url, gate?.tls().ca),
      // No database: a name without its schema is no table.
      ...{ connectTimeout: CONNECT_TIMEOUT_MS, charset: "utf8mb4_general_ci", multipleStatements: false },
      // Rows are read by code that is there, not by code that is made for each statement.
      disableEval: true,
    },
  };
}

function tlsOptions(url: URL, trusted = ""): Pick<ConnectionOptions, "ssl"> {
  const given =
    url.searchParams.get("ssl-mode")?.toUpperCase() ?? (LOOPBACK.has(url.hostname) ? "DISABLED" : "VERIFY_IDENTITY");
  const mode = MODES.find((one) => one === given);
  if (!mode)
    throw new QueryError("failed", `The connection string has an unknown ssl-mode; it may be ${MODES.join(", ")}.`);
  if (mode === "DISABLED") return {};
  const file = url.searchParams.get("ssl-ca");
  const ca = file ? readFileSync(file, "utf8") : trusted;
  return {
    ssl: {
      ...(ca !== "" && { ca }),
      rejectUnauthorized: mode !== "REQUIRED",
      verifyIdentity: mode === "VERIFY_IDENTITY",
    },
  };
}
