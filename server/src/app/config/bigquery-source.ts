import { z } from "zod";
import { definedFields } from "#base";
import { createServiceToken, googleCredentialsMissing } from "#google";
import type { BigQueryAccess, BigQueryMapping, TablePattern } from "#warehouse";

const ACCESS = z.strictObject({
  project: z.string().min(1).optional(),
  location: z.string().min(1).optional(),
  endpoint: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .transform((text) => text.replace(/\/+$/, ""))
    .optional(),
  accessTokenEnv: z.string().min(1).optional(),
});

/** In `warehouse.sources`: tables in BigQuery. `true`: application default credentials, billed to the project of the tables. */
export const BIGQUERY = z.strictObject({ bigquery: z.union([z.literal(true), ACCESS]) });

interface Entry extends z.infer<typeof BIGQUERY> {
  readonly name: TablePattern;
  /** The name in the config file, for errors. */
  readonly label: string;
}

/** The entries as configuration of the warehouse. Entries with the same settings share one access, so that a query may join them. */
export function bigqueryMappings(
  entries: readonly Entry[],
  variable: (name: string) => string | undefined,
): readonly BigQueryMapping[] {
  const accesses = new Map<string, BigQueryAccess>();
  return entries.map(({ name, label, bigquery }) => {
    const settings = bigquery === true ? {} : bigquery;
    const { project, location, endpoint, accessTokenEnv } = settings;
    const key = JSON.stringify([project, location, endpoint, accessTokenEnv]);
    const access = accesses.get(key) ?? toAccess(settings, label, variable);
    accesses.set(key, access);
    return { name, access };
  });
}

function toAccess(
  { project, location, endpoint, accessTokenEnv }: z.infer<typeof ACCESS>,
  label: string,
  variable: (name: string) => string | undefined,
): BigQueryAccess {
  const fromVariable = async (name: string) => {
    const token = variable(name);
    if (token) return token;
    throw googleCredentialsMissing(
      "BigQuery",
      `warehouse.sources.${label}: the variable ${name} (accessTokenEnv) is empty; set it to an access token.`,
    );
  };
  const accessToken = accessTokenEnv ? () => fromVariable(accessTokenEnv) : createServiceToken("BigQuery");
  return definedFields({ project, location, endpoint, accessToken });
}
