import { z } from "zod";
import type { BucketOptions } from "#storage";

/** The section `s3` of the config file. Variables have the keys: a file with settings is no place for them. */
export const BucketSectionSchema = z.strictObject({
  bucket: z.string().min(1),
  endpoint: z.string().min(1).optional(),
  region: z.string().min(1).optional(),
  prefix: z.string().optional(),
  accessKeyEnv: z.string().min(1).optional(),
  secretKeyEnv: z.string().min(1).optional(),
});

export type BucketSection = z.infer<typeof BucketSectionSchema>;

/** The bucket of the environment and the section (DB-14); undefined when there is none. `fault` creates the error for a message. */
export function bucketConfig(
  section: BucketSection | undefined,
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): BucketOptions | undefined {
  const bucket = environment.FRONTDESK_S3_BUCKET ?? section?.bucket;
  if (!bucket) return undefined;
  const secret = (variable: string) => {
    const value = environment[variable];
    if (!value) throw fault(`The bucket '${bucket}' is configured, but ${variable} is not set.`);
    return value;
  };
  const region = environment.FRONTDESK_S3_REGION ?? section?.region ?? "us-east-1";
  const endpoint = environment.FRONTDESK_S3_ENDPOINT ?? section?.endpoint ?? `https://s3.${region}.amazonaws.com`;
  const prefix = environment.FRONTDESK_S3_PREFIX ?? section?.prefix ?? "";
  return {
    ...{ bucket, region },
    endpoint: originOf(endpoint, fault),
    prefix: prefix === "" || prefix.endsWith("/") ? prefix : `${prefix}/`,
    accessKeyId: secret(section?.accessKeyEnv ?? "FRONTDESK_S3_ACCESS_KEY"),
    secretAccessKey: secret(section?.secretKeyEnv ?? "FRONTDESK_S3_SECRET_KEY"),
  };
}

function originOf(text: string, fault: (sentence: string) => Error): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.username) return url.origin;
  throw fault("FRONTDESK_S3_ENDPOINT is no address of a store; use https://host or http://host:port, without a path.");
}
