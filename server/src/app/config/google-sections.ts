import { z } from "zod";
import { definedFields } from "#base";
import { createServiceToken } from "#google";

const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((text) => text.replace(/\/+$/, ""));

/** What the sections have in common: address, credentials, limits. */
const service = {
  endpoint: url.optional(),
  accessTokenEnv: z.string().min(1).optional(),
  timeoutSeconds: z.number().positive().max(300).optional(),
  projects: z.array(z.string().min(1)).optional(),
  apps: z.array(z.string().min(1)).min(1).optional(),
};

/** A section of a service without settings of its own. */
export const GoogleServiceSchema = z.strictObject(service);

/** The section `dialogflow` of the config file: agents of Dialogflow CX to which apps may transfer. */
export const DialogflowSectionSchema = z.strictObject(service);

/** The section `dlp`: Cloud DLP redacts for apps that name a template. */
export const DlpSectionSchema = z.strictObject(service);

/** The section `bigqueryExport`: apps may write their turns to tables of BigQuery. */
export const BigQueryExportSectionSchema = z.strictObject(service);

/** The section `cloudLogging`: apps may write their turns to logs. `project` takes the place of the app's own. */
export const CloudLoggingSectionSchema = z.strictObject({ ...service, project: z.string().min(1).optional() });

/** The section `cloudStorage`: callers may name objects of these buckets in imports and exports. */
export const CloudStorageSectionSchema = z.strictObject({
  endpoint: service.endpoint,
  accessTokenEnv: service.accessTokenEnv,
  timeoutSeconds: service.timeoutSeconds,
  buckets: z
    .array(
      z.union([
        z
          .string()
          .min(1)
          .transform((name): { name: string; apps?: string[] } => ({ name })),
        z.strictObject({ name: z.string().min(1), apps: z.array(z.string().min(1)).min(1) }),
      ]),
    )
    .min(1),
});

/** Access to a service of Google Cloud. */
export interface GoogleServiceConfig {
  /** Address instead of Google's own. */
  readonly endpoint?: string;
  /** The access token of a call: the configured one, else application default credentials. */
  readonly accessToken: () => Promise<string>;
  /** Milliseconds of one attempt. */
  readonly timeoutMs: number;
  /** Projects whose agents or templates apps may name. Default any. */
  readonly projects?: readonly string[];
  /** Apps that may use the service: names, `*` at the end for all that begin so. Default all. */
  readonly apps?: readonly string[];
}

/** A section as configuration of the service. `fault` creates the error for a message. */
export function googleService(
  section: z.infer<typeof DialogflowSectionSchema> | undefined,
  label: string,
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): GoogleServiceConfig | undefined {
  if (!section) return undefined;
  const { endpoint, accessTokenEnv, timeoutSeconds = 30, projects, apps } = section;
  const token = accessTokenEnv === undefined ? undefined : environment[accessTokenEnv];
  if (accessTokenEnv !== undefined && !token)
    throw fault(`${label}: the variable ${accessTokenEnv} (accessTokenEnv) is empty; set it to an access token.`);
  const accessToken = token ? async () => token : createServiceToken(label);
  return definedFields({ endpoint, accessToken, timeoutMs: 1_000 * timeoutSeconds, projects, apps });
}
