import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { createSealer, SEALING_KEY_LENGTH, type Sealer } from "#base";
import { ConfigPath } from "../config/config-path.ts";
import { ConfigError } from "../config/config-values.ts";
import { writeNewFile } from "./new-file.ts";

/** Where the sealing keys come from. Each source has keys in base64, one a line, the newest first. */
export type SealingConfig =
  /** `sealing.key` in the data folder, created at the first start. */
  | { readonly from: "data-folder" }
  | { readonly from: "environment"; readonly text: string }
  | { readonly from: "file"; readonly path: string }
  /** A program and its arguments, e.g. the command line of a key management service; it prints the keys. */
  | { readonly from: "command"; readonly command: readonly [string, ...string[]] };

/** The section `sealing` of the config file. */
export const SealingSectionSchema = z.union([
  z.strictObject({ file: ConfigPath }),
  z.strictObject({ command: z.tuple([z.string().min(1)], z.string()) }),
]);

const COMMAND_TIMEOUT_MS = 30_000;

/** The environment wins over the section. `fault` creates the error for a message. */
export function sealingConfig(
  section: z.infer<typeof SealingSectionSchema> | undefined,
  variable: string | undefined,
  fault: (sentence: string) => Error,
): SealingConfig {
  if (variable !== undefined) {
    if (variable.trim() === "") throw fault("FRONTDESK_SEALING_KEY is empty; use 32 bytes in base64, or unset it.");
    return { from: "environment", text: variable.replaceAll(",", "\n") };
  }
  if (!section) return { from: "data-folder" };
  return "file" in section
    ? { from: "file", path: resolve(section.file) }
    : { from: "command", command: section.command };
}

/** Reads the keys. Throws `ConfigError` that names the source; it never has a key in its message. */
export function openSealer(config: SealingConfig, dataDir: string): Sealer {
  const source = sourceOf(config, dataDir);
  const [first, ...others] = source.text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => Buffer.from(line, "base64"));
  if (!first) throw new ConfigError(`${source.name} has no sealing key; use ${SEALING_KEY_LENGTH} bytes in base64.`);
  const keys = [first, ...others] as const;
  const wrong = keys.findIndex(({ length }) => length !== SEALING_KEY_LENGTH);
  if (wrong < 0) return createSealer([...keys]);
  throw new ConfigError(
    `Key ${wrong + 1} of ${source.name} has ${keys[wrong]?.length} bytes; use ${SEALING_KEY_LENGTH} bytes in base64, e.g. of 'openssl rand -base64 32'.`,
  );
}

interface Source {
  readonly name: string;
  readonly text: string;
}

function sourceOf(config: SealingConfig, dataDir: string): Source {
  switch (config.from) {
    case "environment":
      return { name: "FRONTDESK_SEALING_KEY", text: config.text };
    case "file":
      return { name: `The file '${config.path}' of 'sealing.file'`, text: readText(config.path) };
    case "command":
      return { name: `The output of '${config.command[0]}' of 'sealing.command'`, text: outputOf(config.command) };
    case "data-folder":
      return ownKey(join(dataDir, "sealing.key"));
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`The file '${path}' of 'sealing.file' cannot be read: ${(error as Error).message}`);
  }
}

/** The message of the error has no output: a key could be in it. */
function outputOf([program, ...args]: readonly [string, ...string[]]): string {
  try {
    return execFileSync(program, args, {
      encoding: "utf8",
      timeout: COMMAND_TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    const { status, code } = error as { readonly status?: number | null; readonly code?: string };
    throw new ConfigError(`The program '${program}' of 'sealing.command' failed (${code ?? `exit code ${status}`}).`);
  }
}

/** Readable by its owner only. */
function ownKey(path: string): Source {
  writeNewFile(path, `${randomBytes(SEALING_KEY_LENGTH).toString("base64")}\n`);
  return { name: `The file '${path}'`, text: readFileSync(path, "utf8") };
}
