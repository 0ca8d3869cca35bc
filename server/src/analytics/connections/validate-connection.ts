import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import {
  type DataConnection,
  DataConnection_Engine as Engine,
  DataConnection_TlsMode as Mode,
} from "@frontdesk/protos/gda/data_connection";
import { type FieldViolation, invalidArgument } from "#status";
import { type ConnectableEngine, ENGINE_TRAITS, type TlsMode } from "#warehouse";

/** Every engine that can be connected has a value in the API, in the order of the API. */
const ENGINES: Readonly<Record<ConnectableEngine, Engine>> = {
  postgresql: Engine.POSTGRESQL,
  mysql: Engine.MYSQL,
  sqlserver: Engine.SQLSERVER,
  redshift: Engine.REDSHIFT,
  clickhouse: Engine.CLICKHOUSE,
  trino: Engine.TRINO,
  snowflake: Engine.SNOWFLAKE,
  databricks: Engine.DATABRICKS,
};

const CONNECTABLE: ReadonlyMap<Engine, ConnectableEngine> = new Map(
  (Object.keys(ENGINES) as ConnectableEngine[]).map((engine) => [ENGINES[engine], engine]),
);

const MODES: Readonly<Record<TlsMode, string>> = { verify: "VERIFY", require: "REQUIRE", disabled: "DISABLED" };

const AT = "data_connection";
const HOST = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const MAX_TEXT = 256;
const MAX_PASSWORD = 16_384;
const MAX_CERTIFICATES = 65_536;

/** What the engine of a connection is called by the warehouse. INVALID_ARGUMENT where it is none. */
export function engineOf({ engine }: Pick<DataConnection, "engine">): ConnectableEngine {
  const found = CONNECTABLE.get(engine);
  if (found) return found;
  const names = [...CONNECTABLE.keys()].map((number) => Engine[number]);
  throw invalidArgument({
    field: `${AT}.engine`,
    description: `Give one of ${names.join(", ")}; MariaDB is MYSQL. Other engines are mapped in the configuration: warehouse.sources.`,
  });
}

/** How the address of a connection is secured. Default: TLS, and the certificate is verified. */
export function tlsModeOf({ tlsMode }: Pick<DataConnection, "tlsMode">): TlsMode {
  if (tlsMode === Mode.DISABLED) return "disabled";
  return tlsMode === Mode.REQUIRE ? "require" : "verify";
}

/** The port of a connection: where none is given, that of its engine. */
export function portOf(connection: DataConnection): number {
  if (connection.port !== 0) return connection.port;
  const { port, plainPort = port } = ENGINE_TRAITS[engineOf(connection)];
  return tlsModeOf(connection) === "disabled" ? plainPort : port;
}

/** Throws INVALID_ARGUMENT with all that is wrong; where the password is known already, it may be left out. */
export function checkConnection(connection: DataConnection, isPasswordKnown: boolean): void {
  const engine = engineOf(connection);
  const { displayName, host, port, database, schema, warehouse, user, password, caCertificate } = connection;
  const violations = [
    ...text("display_name", displayName, "Give the database a name of 1 to 256 characters.", 1),
    ...(isHost(host) ? [] : [violation("host", "Give the name or address of the database, without scheme and port.")]),
    ...(port >= 0 && port <= 65_535 ? [] : [violation("port", "Give a port from 1 to 65535, or none.")]),
    ...text("database", database, `Give the name of the ${engine === "trino" ? "catalog" : "database"}.`, 1),
    ...text("schema", schema, "Give the name of a schema, or none."),
    ...text("user", user, "Give a user name of at most 256 characters."),
    ...(isPasswordKnown || password !== ""
      ? []
      : [
          violation(
            "password",
            "Give the password of a user who may only read; where the engine takes tokens, the token.",
          ),
        ]),
    ...text("password", password, `Give at most ${MAX_PASSWORD} characters.`, 0, MAX_PASSWORD),
    ...warehouseViolations(engine, warehouse),
    ...tlsViolations(engine, connection),
    ...(isCertificate(caCertificate)
      ? []
      : [violation("ca_certificate", "Give certificates in PEM, beginning with -----BEGIN CERTIFICATE-----.")]),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
}

function warehouseViolations(engine: ConnectableEngine, warehouse: string): readonly FieldViolation[] {
  const trait = ENGINE_TRAITS[engine].warehouse;
  if (!trait && warehouse !== "")
    return [
      violation("warehouse", "Leave it out: the engine has no SQL warehouses. A schema is in data_connection.schema."),
    ];
  if (trait === "required" && warehouse === "")
    return [violation("warehouse", "Give the id of the SQL warehouse that runs the queries.")];
  return text("warehouse", warehouse, "Give the name of a SQL warehouse.");
}

function tlsViolations(engine: ConnectableEngine, connection: DataConnection): readonly FieldViolation[] {
  const { tls } = ENGINE_TRAITS[engine];
  const names = tls.map((mode) => MODES[mode]).join(" or ");
  return tls.includes(tlsModeOf(connection)) ? [] : [violation("tls_mode", `For this engine it is ${names}.`)];
}

function isHost(host: string): boolean {
  return host.length <= 253 && (HOST.test(host) || isIP(host) === 6);
}

function isCertificate(pem: string): boolean {
  if (pem === "") return true;
  if (pem.length > MAX_CERTIFICATES) return false;
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

/** Control characters are no part of names and passwords, but of attacks on wires. */
function text(
  field: string,
  value: string,
  description: string,
  least = 0,
  most = MAX_TEXT,
): readonly FieldViolation[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
  const isGood = value.trim().length >= least && value.length <= most && !/[\u0000-\u001f\u007f]/.test(value);
  return isGood ? [] : [violation(field, description)];
}

function violation(field: string, description: string): FieldViolation {
  return { field: `${AT}.${field}`, description };
}
