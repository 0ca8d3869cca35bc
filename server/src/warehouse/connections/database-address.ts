import type { RemoteEngineName } from "../mapping/warehouse-config.ts";
import type { DatabaseGate, TlsMode } from "./gate-contract.ts";

/** Engines of databases that people connect. */
export type ConnectableEngine = "postgresql" | RemoteEngineName;

/** Where a database is that somebody connected, and who asks it. */
export interface DatabaseAddress extends ReturnType<DatabaseGate["tls"]> {
  readonly engine: ConnectableEngine;
  /** A name or an address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** A catalog, where the engine calls it so. */
  readonly database: string;
  /** The SQL warehouse that runs the queries, of engines that have such; "" for none. */
  readonly warehouse: string;
  readonly user: string;
  readonly password: string;
}

/** What the connection of an engine may have. */
interface EngineTraits {
  readonly port: number;
  /** Port without TLS. Default the other one. */
  readonly plainPort?: number;
  readonly tls: readonly TlsMode[];
  /** Whether it has SQL warehouses, and needs the name of one. Default none. */
  readonly warehouse?: "optional" | "required";
}

const SOCKETS: readonly TlsMode[] = ["verify", "require", "disabled"];
const HTTP: readonly TlsMode[] = ["verify", "disabled"];

export const ENGINE_TRAITS: Readonly<Record<ConnectableEngine, EngineTraits>> = {
  postgresql: { port: 5432, tls: SOCKETS },
  mysql: { port: 3306, tls: SOCKETS },
  sqlserver: { port: 1433, tls: SOCKETS },
  redshift: { port: 5439, tls: SOCKETS },
  clickhouse: { port: 8443, plainPort: 8123, tls: HTTP },
  trino: { port: 443, plainPort: 8080, tls: HTTP },
  // They take tokens, which are sent by https alone.
  snowflake: { port: 443, tls: ["verify"], warehouse: "optional" },
  databricks: { port: 443, tls: ["verify"], warehouse: "required" },
};

/** The address as the connection string that its engine reads. Every part is escaped, so that none becomes an option. */
export function connectionStringOf(address: DatabaseAddress): string {
  const { engine, host, port, database, warehouse } = address;
  const user = address.user === "" && engine === "databricks" ? "token" : address.user;
  const login = [user, address.password].map(encodeURIComponent).join(":");
  const place = `${login}@${host.includes(":") ? `[${host}]` : host}:${port}/${encodeURIComponent(database)}`;
  const options = warehouse === "" ? "" : `?${new URLSearchParams({ warehouse })}`;
  return `${schemeOf(address)}://${place}${options || tlsOption(address)}`;
}

function schemeOf({ engine, tls }: DatabaseAddress): string {
  switch (engine) {
    case "postgresql":
    case "mysql":
    case "sqlserver":
    case "redshift":
      return engine;
    default:
      return tls === "disabled" ? "http" : "https";
  }
}

/** What the strings of an engine call the modes. The other engines have it in their scheme, or in the gate of their connections. */
function tlsOption({ engine, tls }: DatabaseAddress): string {
  if (engine === "mysql")
    return `?ssl-mode=${{ verify: "VERIFY_IDENTITY", require: "REQUIRED", disabled: "DISABLED" }[tls]}`;
  if (engine === "sqlserver")
    return `?encrypt=${{ verify: "verify-full", require: "require", disabled: "disable" }[tls]}`;
  return "";
}
