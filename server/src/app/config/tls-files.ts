import { existsSync } from "node:fs";
import { nonEmptyFields } from "#base";
import type { Config } from "../config.ts";
import { ConfigError } from "./config-values.ts";

/** The PEM files that the environment names; undefined without any. */
export function tlsFiles(environment: NodeJS.ProcessEnv): Config["tls"] {
  const { FRONTDESK_TLS_CERT: cert, FRONTDESK_TLS_KEY: key, FRONTDESK_TLS_CLIENT_CA: clientCa } = environment;
  if (!cert && !key) return undefined;
  if (!cert || !key)
    throw new ConfigError("TLS needs both FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY (paths of PEM files).");
  return { cert, key, ...nonEmptyFields({ clientCa }) };
}

/** The same files, all of which exist. */
export function requireFiles(tls: Config["tls"]): Config["tls"] {
  for (const path of tls ? [tls.cert, tls.key, ...(tls.clientCa ? [tls.clientCa] : [])] : [])
    if (!existsSync(path)) throw new ConfigError(`The TLS file ${path} does not exist.`);
  return tls;
}
