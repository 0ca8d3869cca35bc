import { z } from "zod";
import { createServiceToken } from "#google";

const url = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .transform((text) => text.replace(/\/+$/, ""));

/** What the sections have in common: where the service is, and as whom it is called. */
const service = {
  endpoint: url.optional(),
  accessTokenEnv: z.string().min(1).optional(),
  timeoutSeconds: z.number().positive().max(300).optional(),
  projects: z.array(z.string().min(1)).optional(),
};

/** A section that is nothing but a service. */
export const GoogleServiceSchema = z.strictObject(service);

/** The section `dialogflow` of the config file: agents of Dialogflow CX that apps may hand conversations to. */
export const DialogflowSectionSchema = z.strictObject(service);

/** The section `dlp`: Cloud DLP redacts for apps that name a template. */
export const DlpSectionSchema = z.strictObject(service);

/** How a service of Google Cloud is reached. */
export interface GoogleServiceConfig {
  /** Address in place of Google's own. */
  readonly endpoint?: string;
  /** Gives the token of a call: the configured one, else application default credentials. */
  readonly accessToken: () => Promise<string>;
  /** Milliseconds for one try. */
  readonly timeoutMs: number;
  /** Projects whose agents or templates apps may name. Default any. */
  readonly projects?: readonly string[];
}

/** A section as the services take it. Throws what `fault` makes of a sentence. */
export function googleService(
  section: z.infer<typeof DialogflowSectionSchema> | undefined,
  label: string,
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): GoogleServiceConfig | undefined {
  if (!section) return undefined;
  const { endpoint, accessTokenEnv, timeoutSeconds = 30, projects } = section;
  const token = accessTokenEnv === undefined ? undefined : environment[accessTokenEnv];
  if (accessTokenEnv !== undefined && !token)
    throw fault(`${label}: the variable ${accessTokenEnv} (accessTokenEnv) is empty; put an access token there.`);
  return {
    ...(endpoint && { endpoint }),
    accessToken: token ? async () => token : createServiceToken(label),
    timeoutMs: 1_000 * timeoutSeconds,
    ...(projects && { projects }),
  };
}
