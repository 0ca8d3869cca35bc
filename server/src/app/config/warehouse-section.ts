import { join, resolve } from "node:path";
import { z } from "zod";
import { nonEmptyFields } from "#base";
import {
  isHostPattern,
  type PostgresMapping,
  type SourceMapping,
  type TablePattern,
  type WarehouseConfig,
} from "#warehouse";
import { BIGQUERY, bigqueryMappings } from "./bigquery-source.ts";
import { ConfigPath } from "./config-path.ts";
import { ConfigError, requireAllRead } from "./config-values.ts";
import { LOOKER, lookerInstances } from "./looker-section.ts";
import { REMOTE, readConnectionString, remoteMappings, SECRET } from "./remote-source.ts";

/** One to three parts without dots or blanks. */
const NAME = /^[^.\s]+(\.[^.\s]+){0,2}$/;

const FILES = z.strictObject({ path: ConfigPath, schema: z.string().min(1).optional() });

/** A PostgreSQL database: the variable or file with its connection string, never the string itself. */
const POSTGRES = z.strictObject({
  postgres: SECRET,
  schema: z.string().min(1).optional(),
});

const HOSTS = "must be a host, *.example.com or *, with :port for one port alone";

/** The section `warehouse` of the config file: the files and databases behind the table names of clients. */
export const WarehouseSectionSchema = z.strictObject({
  sources: z
    .record(z.string(), z.union([ConfigPath, FILES, POSTGRES, BIGQUERY, ...Object.values(REMOTE)]))
    .superRefine((sources, context) => {
      for (const name of Object.keys(sources).filter((each) => !NAME.test(each))) {
        const message = "must be project, project.dataset or project.dataset.table; * matches any project";
        context.addIssue({ code: "custom", path: [name], message });
      }
    })
    .optional(),
  studio: z
    .record(z.string(), z.string().regex(/^[^.\s]+\.[^.\s]+\.[^.\s]+$/, "must be project.dataset.table"))
    .optional(),
  looker: LOOKER.optional(),
  connectionHosts: z.array(z.string().refine(isHostPattern, HOSTS)).optional(),
  memory: z
    .string()
    .regex(/^\d+(\.\d+)?\s?([KMGT]i?B|%)$/, "must be a size like 2GB or 512MB")
    .optional(),
});

/** Enough for joins over some million rows; the rest is spilled to disk. */
const MEMORY = "1GB";

type Source = NonNullable<z.infer<typeof WarehouseSectionSchema>["sources"]>[string];

/** The section as configuration of the warehouse. */
export function warehouseConfig(
  {
    sources = {},
    studio = {},
    looker = {},
    memory = MEMORY,
    connectionHosts = [],
    ...unread
  }: z.infer<typeof WarehouseSectionSchema> = {},
  dataDir: string,
  variable: (name: string) => string | undefined = () => undefined,
): WarehouseConfig {
  requireAllRead(unread);
  const entries = Object.entries(sources);
  const postgres = entries.flatMap(([name, source]) => toPostgres(name, source, variable));
  const remote = entries.flatMap(([name, source]) => remoteMappings(patternOf(name), name, source, variable));
  const bigquery = bigqueryMappings(
    entries.flatMap(([name, source]) =>
      typeof source === "object" && "bigquery" in source ? [{ name: patternOf(name), label: name, ...source }] : [],
    ),
    variable,
  );
  return {
    sources: entries.flatMap(([name, source]) => toMapping(name, source)),
    ...(postgres.length > 0 && { postgres }),
    ...(remote.length > 0 && { remote }),
    ...(bigquery.length > 0 && { bigquery }),
    studio: Object.fromEntries(Object.entries(studio).map(([id, table]) => [id, table.split(".")])),
    ...(Object.keys(looker).length > 0 && { looker: lookerInstances(looker, variable) }),
    memory,
    spillDir: join(dataDir, "spill"),
    uploadDir: join(dataDir, "uploads"),
    connectionHosts: hostsOf(variable("FRONTDESK_CONNECTION_HOSTS")) ?? connectionHosts,
  };
}

/** The environment wins over the section. */
function hostsOf(text: string | undefined): readonly string[] | undefined {
  const hosts = text?.split(",").flatMap((host) => host.trim() || []);
  const wrong = hosts?.find((host) => !isHostPattern(host));
  if (wrong !== undefined) throw new ConfigError(`FRONTDESK_CONNECTION_HOSTS: '${wrong}' ${HOSTS}.`);
  return hosts;
}

function toMapping(name: string, source: Source): readonly SourceMapping[] {
  if (typeof source === "object" && !("path" in source)) return [];
  const { path, schema } = typeof source === "string" ? { path: source } : source;
  return [{ name: patternOf(name), path: resolve(path), ...nonEmptyFields({ schema }) }];
}

function toPostgres(
  name: string,
  source: Source,
  variable: (name: string) => string | undefined,
): readonly PostgresMapping[] {
  if (typeof source === "string" || !("postgres" in source)) return [];
  const { postgres, schema } = source;
  const connectionString = () => readConnectionString(postgres, name, variable);
  return [{ name: patternOf(name), connectionString, ...nonEmptyFields({ schema }) }];
}

/** One to three parts, as in the schema of the section. */
function patternOf(name: string): TablePattern {
  return name.split(".") as unknown as TablePattern;
}
