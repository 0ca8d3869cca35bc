import { statSync } from "node:fs";
import { resolve } from "node:path";
import { LONGEST_TIMER_MS, parsePort } from "#base";

/** An invalid setting; the message names it, the reason and the fix. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Takes what the reader of a section left over. A key that it did not read does not compile here. */
export function requireAllRead(_unread: Readonly<Record<string, never>>): void {}

/** The port of the flag, else of the environment. Throws `ConfigError` for text that is none. */
export function portOf(flag: string | undefined, variable: string | undefined): number | undefined {
  return flag === undefined ? port("FRONTDESK_PORT", variable) : port("--port", flag);
}

/** The number of a port, 0 to 65535. Throws `ConfigError` for text that is none. */
export function port(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = parsePort(text);
  if (number !== undefined) return number;
  const use = text.startsWith("tcp://")
    ? "Kubernetes sets it so for a service named frontdesk: set enableServiceLinks: false for the pod, or name the service otherwise."
    : "Use a number from 0 to 65535.";
  throw new ConfigError(`${name} is '${text}', which is not a port. ${use}`);
}

/** A whole number above zero. Throws `ConfigError`. */
export function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigError(`${name} is '${text}'; use a whole number above zero.`);
}

/** Seconds that a timer can wait for, zero included. Throws `ConfigError`. */
export function secondsOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= LONGEST_TIMER_MS / 1_000) return value;
  throw new ConfigError(`${name} is '${text}'; use a number of seconds.`);
}

/** `1`, `true`, `yes` or their opposites. Throws `ConfigError`. */
export function truth(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (["1", "true", "yes"].includes(text.toLowerCase())) return true;
  if (["", "0", "false", "no"].includes(text.toLowerCase())) return false;
  throw new ConfigError(`${name} is '${text}'; use 1 or 0.`);
}

/** The absolute path of a folder. Throws `ConfigError` when there is none. */
export function existingFolder(name: string, path: string | undefined): string | undefined {
  if (!path) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new ConfigError(`${name} is '${path}', which is not a folder.`);
}

/** One of some words. Throws `ConfigError`. */
export function choice<T extends string>(name: string, text: string | undefined, choices: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const found = choices.find((candidate) => candidate === text);
  if (!found) throw new ConfigError(`${name} is '${text}'; use one of ${choices.join(", ")}.`);
  return found;
}

/** The items of a list with commas. */
export function list(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
