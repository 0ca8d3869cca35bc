import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { RemoteEngineName, RemoteMapping, TablePattern } from "#warehouse";
import { ConfigPath } from "./config-path.ts";

/** The variable or file with a secret, never the secret itself. */
export const SECRET = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: ConfigPath })]);

type Secret = z.infer<typeof SECRET>;

/** Reads the connection string of a source. Throws an error that names the setting. */
export function readConnectionString(
  secret: Secret,
  label: string,
  variable: (name: string) => string | undefined,
): string {
  const text = "env" in secret ? variable(secret.env) : readFileSync(resolve(secret.file), "utf8").trim();
  if (text) return text;
  const place = "env" in secret ? `the variable ${secret.env}` : `the file ${secret.file}`;
  throw new Error(`warehouse.sources.${label}: ${place} is empty; put a connection string there.`);
}

const schema = z.string().min(1).optional();

/** In `warehouse.sources`: databases by the engine that they are in, as `{mysql: {env: VARIABLE}, schema}`. */
export const REMOTE = {
  mysql: z.strictObject({ mysql: SECRET, schema }),
  clickhouse: z.strictObject({ clickhouse: SECRET, schema }),
  trino: z.strictObject({ trino: SECRET, schema }),
  redshift: z.strictObject({ redshift: SECRET, schema }),
  snowflake: z.strictObject({ snowflake: SECRET, schema }),
  databricks: z.strictObject({ databricks: SECRET, schema }),
  sqlserver: z.strictObject({ sqlserver: SECRET, schema }),
} satisfies Readonly<Record<RemoteEngineName, z.ZodType>>;

const ENGINES = Object.keys(REMOTE) as RemoteEngineName[];

/** The mapping of an entry; none where it is of another kind. */
export function remoteMappings(
  name: TablePattern,
  label: string,
  source: string | object,
  variable: (name: string) => string | undefined,
): readonly RemoteMapping[] {
  const entry = source as Readonly<Record<string, unknown>>;
  const engine = typeof source === "object" ? ENGINES.find((one) => one in entry) : undefined;
  if (!engine) return [];
  const connectionString = () => readConnectionString(entry[engine] as Secret, label, variable);
  return [{ name, engine, connectionString, ...(typeof entry.schema === "string" && { schema: entry.schema }) }];
}
