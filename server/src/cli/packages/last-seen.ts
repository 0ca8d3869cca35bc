import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import type { PackageFiles } from "#app";
import { isJsonObject } from "#base";
import { CommandError, type CommandInput } from "../command.ts";
import { connectionOf } from "../server/connection.ts";
import { settingsFolder } from "../server/server-address.ts";
import type { FileChange } from "./file-changes.ts";
import { asJson } from "./preview.ts";

/** Digests of an app's files when a folder was last like it, by path. */
type Digests = Readonly<Record<string, string>>;

/** A folder, and the app on a server that it is pulled from and pushed to. */
interface Pair {
  readonly folder: string;
  /** Resource name of the app. */
  readonly app: string;
}

/** So many pairs are remembered, those that were used last. */
const MAX_PAIRS = 100;
/** Hexadecimal digits of a digest: enough to tell versions of a file apart. */
const DIGEST_LENGTH = 16;
/** How many files a refusal names. */
const MAX_NAMED = 5;

/**
 * Remembers for this user that a folder is like an app whose export has these files; undefined: that nobody knows. Where nothing can be written, nothing is
 * remembered.
 */
export function rememberSeen(pair: Pair, files: PackageFiles | undefined, input: CommandInput): void {
  const key = keyOf(pair, input);
  const { [key]: _, ...others } = readAll();
  const kept = Object.entries(others).slice(1 - MAX_PAIRS);
  const entries = files && [...files].map(([path, bytes]) => [asJson(path), digestOf(path, bytes)]);
  const seen = entries ? { [key]: Object.fromEntries(entries) } : {};
  try {
    mkdirSync(dirname(pathOfSeen()), { recursive: true, mode: 0o700 });
    const part = `${pathOfSeen()}.${process.pid}`;
    writeFileSync(part, JSON.stringify({ ...Object.fromEntries(kept), ...seen }), { mode: 0o600 });
    renameSync(part, pathOfSeen());
  } catch {
    // A home that is read-only, as in CI, must not fail a push.
  }
}

/**
 * What these changes of an app would undo of what others did to it since the folder was last like it; undefined where it is nothing, or where nothing is
 * remembered. `present`: the files of the app's export.
 */
export function undoneWork(
  pair: Pair,
  present: PackageFiles,
  changes: readonly FileChange[],
  input: CommandInput,
): string | undefined {
  const seen = readAll()[keyOf(pair, input)];
  if (!seen) return undefined;
  const now = new Map([...present].map(([path, bytes]) => [asJson(path), digestOf(path, bytes)]));
  const undone = changes.map(({ path }) => path).filter((path) => seen[path] !== now.get(path));
  if (undone.length === 0) return undefined;
  const named = undone.slice(0, MAX_NAMED).join(", ");
  const more = undone.length > MAX_NAMED ? ` and ${undone.length - MAX_NAMED} more` : "";
  return `${pair.app} has changed since ${pair.folder} was last pulled or pushed, and a push would undo that: ${named}${more}`;
}

/** Throws `CommandError` for what a push would undo, as `undoneWork` tells it. */
export function refuseUndoing(undone: string | undefined): void {
  if (undone === undefined) return;
  throw new CommandError(
    `${undone}. Keep a copy of your changes, pull, and put them in again; or push with --force. Nothing was pushed.`,
  );
}

/** Manifests by their values, so that JSON and YAML are the same. */
function digestOf(path: string, bytes: Uint8Array): string {
  const digest = createHash("sha256");
  if (!/\.(json|ya?ml)$/.test(path)) return digest.update(bytes).digest("hex").slice(0, DIGEST_LENGTH);
  const text = Buffer.from(bytes).toString("utf8");
  const value: unknown = path.endsWith(".json") ? JSON.parse(text) : parse(text);
  return digest.update(JSON.stringify(value)).digest("hex").slice(0, DIGEST_LENGTH);
}

function keyOf({ folder, app }: Pair, input: CommandInput): string {
  return `${realpathSync(folder)} ${connectionOf(input).address}/${app}`;
}

/** What cannot be read is not known: then a push is as the first one. */
function readAll(): Readonly<Record<string, Digests | undefined>> {
  try {
    const stored: unknown = JSON.parse(readFileSync(pathOfSeen(), "utf8"));
    return isJsonObject(stored) ? (stored as Record<string, Digests>) : {};
  } catch {
    return {};
  }
}

const pathOfSeen = () => join(settingsFolder(), "folders.json");
