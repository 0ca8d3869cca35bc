import { hostname } from "node:os";
import { z } from "zod";
import { createLogger, definedFields } from "#base";
import { addressFault, type DatabaseOptions, hasTlsMode, migrateSchema } from "#storage";
import type { Config } from "../config.ts";
import { type BucketSection, bucketConfig } from "./bucket-section.ts";
import { ConfigPath } from "./config-path.ts";
import { ConfigError, count, port, truth } from "./config-values.ts";

/** The section `database` of the config file. */
export const DatabaseSectionSchema = z.strictObject({
  /** Variable with the URL: a file with settings is no place for a password. */
  urlEnv: z.string().min(1).optional(),
  /** Variable with the URL of a standby for lists. */
  readUrlEnv: z.string().min(1).optional(),
  passwordFile: ConfigPath.optional(),
  connections: z.number().int().min(2).max(1_000).optional(),
  migrate: z.boolean().optional(),
  replica: z.string().min(1).optional(),
  replicaHost: z.string().min(1).optional(),
  replicaPort: z.number().int().min(1).max(65_535).optional(),
});

/** The database, and where this server takes turns of the others (DB-53). */
export interface DatabaseConfig extends DatabaseOptions {
  /** The name or address by which they reach it. Default: the one it listens at, or the first of the machine. */
  readonly turnsHost?: string;
  /** Default: a free port. */
  readonly turnsPort?: number;
}

type DatabaseSection = z.infer<typeof DatabaseSectionSchema>;

/** Where everything is stored but in the data folder. `fault` creates the error for a message. */
export function storageConfig(
  { database, s3 }: { readonly database?: DatabaseSection | undefined; readonly s3?: BucketSection | undefined },
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
) {
  const bucket = bucketConfig(s3, environment, fault);
  return definedFields({ database: databaseConfig(database, environment, fault), bucket });
}

/** The database of the environment and the section (DB-1); undefined when there is none. */
function databaseConfig(
  section: DatabaseSection = {},
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): DatabaseConfig | undefined {
  const variable = section.urlEnv ?? "FRONTDESK_DATABASE_URL";
  const url = databaseUrl(variable, environment, fault);
  if (url === undefined) {
    if (section.urlEnv === undefined) return undefined;
    throw fault(`The variable '${variable}' of 'database.urlEnv' is not set.`);
  }
  const readUrl = databaseUrl(section.readUrlEnv ?? "FRONTDESK_DATABASE_READ_URL", environment, fault);
  const { passwordFile = environment.FRONTDESK_DATABASE_PASSWORD_FILE } = section;
  const connections = count("FRONTDESK_DATABASE_CONNECTIONS", environment.FRONTDESK_DATABASE_CONNECTIONS);
  const migrate = truth("FRONTDESK_DATABASE_MIGRATE", environment.FRONTDESK_DATABASE_MIGRATE);
  return {
    url,
    ...definedFields({
      readUrl,
      password: environment.FRONTDESK_DATABASE_PASSWORD || undefined,
      passwordFile,
      connections: connections ?? section.connections,
      migrate: migrate ?? section.migrate,
      replica: environment.FRONTDESK_REPLICA ?? section.replica ?? hostname(),
      turnsHost: environment.FRONTDESK_REPLICA_HOST || section.replicaHost,
      turnsPort: port("FRONTDESK_REPLICA_PORT", environment.FRONTDESK_REPLICA_PORT) ?? section.replicaPort,
    }),
  };
}

/** The address in a variable, with the mode of TLS that `PGSSLMODE` has for addresses without one. Undefined when the variable is not set. */
function databaseUrl(
  variable: string,
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): string | undefined {
  const text = environment[variable];
  if (text === undefined) return undefined;
  if (endsInPassword(text))
    throw fault(
      `${variable} has '/', '?' or '#' in the password, where an address would end: write %2F, %3F and %23, or the password into FRONTDESK_DATABASE_PASSWORD as it is.`,
    );
  if (!isDatabaseUrl(text))
    throw fault(`${variable} is no address of PostgreSQL; use postgres://user:password@host:port/database.`);
  const mode = hasTlsMode(text) ? undefined : environment.PGSSLMODE || undefined;
  const url = mode === undefined ? text : withTlsMode(text, mode);
  const wrong = addressFault(url);
  if (wrong !== undefined) throw fault(`${variable}${mode === undefined ? "" : ", by PGSSLMODE,"} ${wrong}.`);
  return url;
}

function withTlsMode(text: string, mode: string): string {
  const url = new URL(text);
  url.searchParams.set("sslmode", mode);
  return url.href;
}

/**
 * Whether the part of an address that names the host ends within the password, of which a piece would be taken for the host and stand in messages. Then the '@' before
 * the host comes after that end: in a path or a fragment, or in the options of an address whose host has none before it.
 */
function endsInPassword(text: string): boolean {
  const [, host = "", path = "", options = "", fragment = ""] =
    /^[a-z]+:\/\/([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text) ?? [];
  return path.includes("@") || fragment.includes("@") || (options.includes("@") && !host.includes("@"));
}

/** The message of the error has no URL: it has a password. */
function isDatabaseUrl(text: string): boolean {
  try {
    const { protocol } = new URL(text);
    return protocol === "postgres:" || protocol === "postgresql:";
  } catch {
    return false;
  }
}

/** Where the server's data is, for `openStorage`. */
export function storagePlace({ dataDir, database, bucket }: Pick<Config, "dataDir" | "database" | "bucket">) {
  return { dataDir, ...definedFields({ database, bucket }) };
}

/** Where the server's data is, for people: without user and password. */
export function dataPlace({ dataDir, database }: Pick<Config, "dataDir" | "database">): string {
  if (!database) return dataDir;
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** Migrates the schema of the configured database (DB-2). Returns a sentence that says what happened. */
export async function migrateDatabase({ database, dataDir }: Pick<Config, "dataDir" | "database">): Promise<string> {
  if (!database)
    throw new ConfigError("FRONTDESK_DATABASE_URL is not set; a data folder is migrated when it is opened.");
  const { from, to, newJobTables } = await migrateSchema(database, createLogger("silent"));
  const place = dataPlace({ database, dataDir });
  if (from !== to) return `${place} was migrated from schema version ${from} to ${to}.`;
  const tables = newJobTables ? ", and got the tables of jobs of this release" : "";
  return `${place} has schema version ${to} already${tables}.`;
}
