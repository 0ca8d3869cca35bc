import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse as parseYaml } from "yaml";
import { ConfigError } from "./config-values.ts";

/** The settings of the config file as they are written. */
interface ConfigSource {
  /** What messages call it, at the beginning of a sentence. */
  readonly name: string;
  readonly content: unknown;
  /** Where relative paths begin. */
  readonly folder: string;
}

/**
 * The content of the file of the flag, else of `FRONTDESK_CONFIG`, else what `FRONTDESK_CONFIG_CONTENT` holds in place of a file; undefined for none.
 * Throws `ConfigError`.
 */
export function configSource(flag: string | undefined, environment: NodeJS.ProcessEnv): ConfigSource | undefined {
  const { FRONTDESK_CONFIG: file, FRONTDESK_CONFIG_CONTENT: text } = environment;
  if (!flag && file && text)
    throw new ConfigError("FRONTDESK_CONFIG and FRONTDESK_CONFIG_CONTENT are both set; use one of them.");
  const path = flag ?? file;
  if (!path) return text ? sourceOf("FRONTDESK_CONFIG_CONTENT", text, process.cwd()) : undefined;
  if (!existsSync(path)) throw new ConfigError(`The config file ${path} does not exist.`);
  return sourceOf(`The config file ${path}`, readFileSync(path, "utf8"), dirname(resolve(path)));
}

function sourceOf(name: string, text: string, folder: string): ConfigSource {
  try {
    return { name, content: parseYaml(text) ?? {}, folder };
  } catch (error) {
    throw new ConfigError(`${name} is not valid YAML or JSON: ${(error as Error).message}`);
  }
}
