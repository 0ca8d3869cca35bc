import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import type { LookerInstance } from "#warehouse";
import { ConfigPath } from "./config-path.ts";

/** The address of a Looker instance. Requests have credentials, so plain http is for this machine only. */
const INSTANCE = /^(https:\/\/[^/?#@\s]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)$/;

/** An API key of an instance; its secret is in an environment variable or a file. */
const KEY = z.strictObject({
  clientId: z.string().min(1).optional(),
  clientSecret: z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: ConfigPath })]).optional(),
});

/** `warehouse.looker`: the instances whose explores may be queried, each with an optional key for questions without credentials. */
export const LOOKER = z
  .record(z.string().regex(INSTANCE, "must be https://host or https://host:port, without a path"), KEY)
  .superRefine((instances, context) => {
    for (const [address, { clientId, clientSecret }] of Object.entries(instances)) {
      if ((clientId === undefined) === (clientSecret === undefined)) continue;
      context.addIssue({ code: "custom", path: [address], message: "clientId and clientSecret go together" });
    }
  });

/** The instances as configuration of the warehouse; the secret is read at each login. */
export function lookerInstances(
  instances: z.infer<typeof LOOKER>,
  variable: (name: string) => string | undefined,
): readonly LookerInstance[] {
  return Object.entries(instances).map(([address, { clientId, clientSecret }]) => {
    const { origin } = new URL(address);
    if (clientId === undefined || clientSecret === undefined) return { origin };
    return { origin, apiKey: () => ({ clientId, clientSecret: secretAt(clientSecret, address, variable) }) };
  });
}

function secretAt(
  source: { readonly env: string } | { readonly file: string },
  address: string,
  variable: (name: string) => string | undefined,
): string {
  const text = "env" in source ? variable(source.env) : readFileSync(resolve(source.file), "utf8").trim();
  if (text) return text;
  const name = "env" in source ? `the variable ${source.env}` : `the file ${source.file}`;
  throw new Error(`warehouse.looker.${address}.clientSecret: ${name} is empty; put the secret there.`);
}
