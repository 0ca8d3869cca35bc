import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { definedFields, isJsonObject, type JsonObject } from "#base";
import { CommandError } from "../command.ts";
import { fileErrorReason } from "../file-error.ts";
import { settingsFolder } from "../server/server-address.ts";

/** What a context can say; each field is the flag of this name. */
export const CONTEXT_FIELDS = ["server", "endpoint", "token", "key", "project", "location"] as const;

/** A server with who calls it and where, under a name. */
export type Context = { readonly [Field in (typeof CONTEXT_FIELDS)[number]]?: string };

/** All contexts of this user. */
export interface StoredContexts {
  /** Name of the one in use; undefined: none. */
  readonly current: string | undefined;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Reads them. Throws `CommandError` for a file that cannot be read. */
export function readContexts(): StoredContexts {
  try {
    const stored: unknown = JSON.parse(readFileSync(pathOfContexts(), "utf8"));
    if (!isJsonObject(stored) || !isJsonObject(stored.contexts)) throw new Error("it is not a list of contexts");
    const { current, contexts } = stored;
    return {
      current: typeof current === "string" ? current : undefined,
      contexts: contexts as Record<string, Context>,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: undefined, contexts: {} };
    const reason = fileErrorReason(error as Error);
    // What the system refuses to read is not broken.
    if (reason !== undefined) throw new CommandError(`${pathOfContexts()} cannot be read: ${reason}.`);
    throw new CommandError(`${pathOfContexts()} cannot be read: ${(error as Error).message}. Delete it to begin anew.`);
  }
}

/** Writes them so that this user alone can read them: they may have tokens. */
export function writeContexts({ current, contexts }: StoredContexts): void {
  const path = pathOfContexts();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const part = `${path}.${process.pid}`;
  const stored: JsonObject = { ...definedFields({ current }), contexts };
  writeFileSync(part, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
  renameSync(part, path);
}

/** The file of the contexts. */
const pathOfContexts = () => join(settingsFolder(), "contexts.json");
