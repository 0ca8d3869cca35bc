import type { DataConnection } from "@frontdesk/protos/gda/data_connection";
import { EgressError } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import { QueryError } from "#warehouse";
import { portOf } from "./validate-connection.ts";

/** What went wrong while connecting: one sentence that names the field and what to do (CA-62). Other errors are returned as they are. */
export function connectionProblem(error: unknown, connection: DataConnection): unknown {
  if (!(error instanceof QueryError)) return error;
  const { field, description } = violationOf(error, connection);
  return invalidArgument({ field: `data_connection.${field}`, description });
}

/** Some engines take a login to a database that they do not have. */
export function withoutTables({ database, schema }: DataConnection): Error {
  const place = schema === "" ? `'${database}'` : `the schema '${schema}' of '${database}'`;
  return invalidArgument({
    field: `data_connection.${schema === "" ? "database" : "schema"}`,
    description: `The user is shown no tables of ${place}; check the name, or let the user read tables.`,
  });
}

/** Codes of a database that does not exist: PostgreSQL, MySQL and MariaDB, SQL Server. */
const NO_DATABASE: ReadonlySet<unknown> = new Set(["3D000", "ER_BAD_DB_ERROR", 4060]);
const NO_HOST: ReadonlySet<unknown> = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME"]);
const CERTIFICATE =
  /CERT|certificate|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS|ERR_SSL|EPROTO|support SSL|secure connection|SSL_SUPPORT|no encryption|ESOCKET.*TLS/i;

function violationOf(error: QueryError, connection: DataConnection): FieldViolation {
  const causes = [...causesOf(error)];
  const codes = causes.flatMap(({ code, number }) => [code, number]);
  const place = `'${connection.host}:${portOf(connection)}'`;
  const refused = causes.find((cause) => cause instanceof EgressError && cause.kind === "refused");
  if (refused) return { field: "host", description: `${refused.message}.` };
  if (/needs? the package/.test(error.message)) return { field: "engine", description: error.message };
  if (codes.some((code) => NO_HOST.has(code)))
    return { field: "host", description: `There is no host '${connection.host}'; check its name.` };
  if (codes.some((code) => NO_DATABASE.has(code)))
    return {
      field: "database",
      description: `${place} has no database '${connection.database}' for this user; check its name.`,
    };
  const tls = causes.find(({ code, message }) => CERTIFICATE.test(`${code ?? ""} ${message}`));
  if (tls)
    return {
      field: "tls_mode",
      description: `TLS with ${place} failed (${tls.message}): give the certificate of its authority in ca_certificate, or choose another tls_mode.`,
    };
  if (error.kind === "permission" || causes.some(({ message }) => /\b401\b|\b403\b/.test(message)))
    return { field: "password", description: `${place} refused the login; check user and password.` };
  const reason = causes.map(({ code }) => code).find((code) => typeof code === "string") ?? error.message;
  return {
    field: "host",
    description: `${place} cannot be reached (${reason}); check host, port and engine, and that the database takes connections from this server.`,
  };
}

interface Cause extends Error {
  readonly code?: unknown;
  readonly number?: unknown;
}

/** The error, what it was made of, and of several attempts each. */
function* causesOf(error: unknown): Generator<Cause> {
  if (!(error instanceof Error)) return;
  yield error;
  yield* causesOf(error.cause);
  if (error instanceof AggregateError) for (const one of error.errors) yield* causesOf(one);
}
