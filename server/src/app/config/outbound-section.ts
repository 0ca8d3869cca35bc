import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { nonEmptyFields } from "#base";
import type { OutboundConfig } from "#outbound";
import { ConfigPath } from "./config-path.ts";
import { requireAllRead } from "./config-values.ts";

const SecretSource = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: ConfigPath })]);

/** `host:port`; the default port is 443. */
const HostAndPort = z
  .string()
  .refine((text) => URL.canParse(`http://${text}`) && !/[/?#@]/.test(text), "use host or host:port, without a scheme");

const Patterns = z.array(z.string().min(1)).min(1);

/** A grant is not limited by what it leaves out. */
const Grant = z.strictObject({
  credentials: Patterns.default(["*"]),
  apps: Patterns.default(["*"]),
  hosts: Patterns.default(["*"]),
});

/** The section `outbound` of the config file: secrets, host names and limits of requests that tools make. */
export const OutboundSectionSchema = z.strictObject({
  secrets: z.record(z.string(), SecretSource).optional(),
  secretsFolder: ConfigPath.optional(),
  secretManager: z.boolean().optional(),
  grants: z.array(Grant).optional(),
  serviceDirectory: z.record(z.string(), HostAndPort).optional(),
  perimeter: z.boolean().optional(),
  withoutGoogleToken: z.array(z.string().min(1)).optional(),
});

/** The section as configuration of outbound requests. Throws when a folder or file in it does not exist. */
export function outboundConfig(
  section: z.infer<typeof OutboundSectionSchema> = {},
  variable: (name: string) => string | undefined,
): OutboundConfig {
  const { secrets = {}, secretsFolder, secretManager = false, grants = [], ...others } = section;
  const { serviceDirectory = {}, perimeter = false, withoutGoogleToken = [], ...unread } = others;
  requireAllRead(unread);
  const entries = Object.entries(secrets);
  const environment = entries.flatMap(([name, source]) => ("env" in source ? [[name, source.env] as const] : []));
  const files = entries.flatMap(([name, source]) => ("file" in source ? [[name, resolve(source.file)] as const] : []));
  for (const [name, path] of files)
    if (!existsSync(path)) throw new Error(`outbound.secrets.${name}: the file ${path} does not exist.`);
  const folder = secretsFolder && resolve(secretsFolder);
  if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`outbound.secretsFolder is '${secretsFolder}', which is not a folder.`);
  return {
    secrets: {
      environment: Object.fromEntries(environment),
      variable,
      files: Object.fromEntries(files),
      ...nonEmptyFields({ folder }),
      secretManager,
    },
    grants,
    serviceDirectory,
    perimeter,
    withoutGoogleToken: hostsOf(variable("FRONTDESK_WITHOUT_GOOGLE_TOKEN")) ?? withoutGoogleToken,
  };
}

function hostsOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(",").flatMap((host) => host.trim() || []);
}
