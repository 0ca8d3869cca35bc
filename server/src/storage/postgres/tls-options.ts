import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { StorageError } from "../errors.ts";

/** How connections to an address are encrypted. */
export interface TlsOptions {
  /** The address without what it says of TLS. */
  readonly address: string;
  /** Whether TLS begins without asking for it first, as PostgreSQL 17 takes it. */
  readonly isDirect: boolean;
  /** Reads the files, which may be replaced while the server runs: false for no TLS. Throws a `StorageError` that names the file. */
  read(): ConnectionOptions | false;
}

const MODES = ["disable", "require", "verify-ca", "verify-full"] as const;
type Mode = (typeof MODES)[number];

/** What libpq calls the parts of TLS in an address. `ssl=true` is of other drivers. */
export const TLS_PARAMETERS = ["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"];

/** The value of `sslrootcert` for the authorities that this program brings. */
const SYSTEM = "system";

/**
 * The TLS of an address, with the modes of libpq: `require` encrypts and verifies the certificate only where `sslrootcert` is given, `verify-ca` verifies who
 * signed it, `verify-full` also that it is of this host. Without a mode there is no TLS, or with files all is verified (DB-20).
 */
export function tlsOptionsOf(url: string): TlsOptions {
  const address = new URL(url);
  const query = address.searchParams;
  const [mode, isDirect] = [modeOf(query), query.get("sslnegotiation") === "direct"];
  const files = { ca: query.get("sslrootcert"), cert: query.get("sslcert"), key: query.get("sslkey") };
  const asked = TLS_PARAMETERS.filter((name) => query.has(name));
  for (const name of asked) query.delete(name);
  return { address: asked.length > 0 ? address.href : url, isDirect, read: () => readTls(mode, files) };
}

/** What is wrong with the TLS of an address, to stand behind the name of its setting. Undefined: nothing. */
export function tlsFault(url: string): string | undefined {
  const query = new URL(url).searchParams;
  const [mode, authority] = [modeOf(query), query.get("sslrootcert")];
  if (mode === "allow" || mode === "prefer")
    return `has sslmode=${mode}, which would go on without encryption: use disable, require, verify-ca or verify-full`;
  const parameter = query.has("sslmode") ? "sslmode" : "ssl";
  if (!isMode(mode))
    return `has ${parameter}=${mode}, which is no mode: use sslmode disable, require, verify-ca or verify-full`;
  if (authority === SYSTEM && mode !== "verify-full") return `has sslrootcert=system: use it with sslmode=verify-full`;
  if (mode === "verify-ca" && authority === null)
    return "has sslmode=verify-ca without sslrootcert, so that anybody's certificate would do: name the file with your authority, or use verify-full";
  if (mode === "disable" && query.get("sslnegotiation") === "direct")
    return "has sslnegotiation=direct with sslmode=disable: use require, verify-ca or verify-full";
  return undefined;
}

/** Whether an address says how it is encrypted. */
export function hasTlsMode(url: string): boolean {
  const query = new URL(url).searchParams;
  return query.has("sslmode") || query.has("ssl");
}

function modeOf(query: URLSearchParams): string {
  const mode = query.get("sslmode");
  if (mode !== null) return mode;
  const ssl = query.get("ssl");
  if (ssl !== null) return /^(?:true|1)$/.test(ssl) ? "verify-full" : /^(?:false|0)$/.test(ssl) ? "disable" : ssl;
  const asks = ["sslrootcert", "sslcert", "sslkey"].some((name) => query.has(name));
  return asks || query.get("sslnegotiation") === "direct" ? "verify-full" : "disable";
}

function isMode(mode: string): mode is Mode {
  return MODES.some((one) => one === mode);
}

function readTls(
  mode: string,
  { ca, cert, key }: Readonly<Record<"ca" | "cert" | "key", string | null>>,
): ConnectionOptions | false {
  if (mode === "disable") return false;
  const options: ConnectionOptions = {
    ...(ca !== null && ca !== SYSTEM && { ca: readTlsFile("sslrootcert", ca) }),
    ...(cert !== null && { cert: readTlsFile("sslcert", cert) }),
    ...(key !== null && { key: readTlsFile("sslkey", key) }),
  };
  if (mode === "verify-full") return options;
  if (ca === null) return { ...options, rejectUnauthorized: false };
  // The certificate must be of the authority, whatever host it names.
  return { ...options, checkServerIdentity: () => undefined };
}

function readTlsFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StorageError(
      "FAILED",
      `The file '${path}', ${parameter} of FRONTDESK_DATABASE_URL, cannot be read (${code}): name a file that this user may read.`,
    );
  }
}
