import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LineCounter, parseDocument } from "yaml";
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
  return { name, content: contentOf(name, text) ?? {}, folder };
}

/** A fault is told by its place and never by the lines around it, since these may have keys and passwords, and who reads the log need not be who may read the file. */
function contentOf(name: string, text: string): unknown {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { prettyErrors: false, lineCounter });
  const [fault] = document.errors;
  if (!fault) return toContent(name, () => document.toJS());
  const { line, col } = lineCounter.linePos(fault.pos[0]);
  // Behind a colon or a backslash the library quotes what it found.
  const [kind] = fault.message.split(/: |\\/);
  throw invalid(name, `${kind?.trim()} at line ${line}, column ${col}`);
}

function toContent(name: string, read: () => unknown): unknown {
  try {
    return read();
  } catch {
    throw invalid(name, "an alias has no anchor before it, or there are too many of them");
  }
}

function invalid(name: string, fault: string): ConfigError {
  return new ConfigError(`${name} is not valid YAML or JSON: ${fault}.`);
}
