import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { OutboundError, type SecretSources } from "./contract.ts";

const NAME = /^projects\/([^/]+)\/secrets\/([^/]+)(?:\/versions\/([^/]+))?$/;
/** Segments become names of files. */
const PLAIN = /^[\w-]+$/;

export interface SecretsDeps {
  readonly sources: SecretSources;
  /** Asks Secret Manager for a version's payload. */
  readonly accessVersion: (name: string) => Promise<string>;
}

/** Reads a secret's value at call time. Nothing is kept: a rotated secret counts with the next call. */
export type ReadSecret = (name: string) => Promise<string>;

/** Creates the reader: environment, files, folder, Secret Manager, the first that knows the name. */
export function createSecrets({ sources, accessVersion }: SecretsDeps): ReadSecret {
  return async (name) => {
    const [, project, secret = "", version = "latest"] = NAME.exec(name) ?? [];
    if (project === undefined)
      throw new OutboundError(
        "unauthorized",
        `'${name}' is not the name of a secret version (projects/P/secrets/S/versions/V).`,
      );
    const keys = [name, `projects/${project}/secrets/${secret}`, secret];
    const variable = chosen(sources.environment, keys);
    if (variable !== undefined) return present(sources.variable(variable), name, `environment variable ${variable}`);
    const path = chosen(sources.files, keys);
    if (path !== undefined) return present(await contentOf(path), name, "file");
    const found = sources.folder && (await fromFolder(sources.folder, secret, version));
    if (found) return present(found, name, "file");
    if (sources.secretManager) return accessVersion(`projects/${project}/secrets/${secret}/versions/${version}`);
    throw new OutboundError(
      "unauthorized",
      `Secret '${name}' is not known to this server. The operator can name its source under 'outbound.secrets' of the config file.`,
    );
  };
}

function chosen(map: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined {
  const key = keys.find((candidate) => Object.hasOwn(map, candidate));
  return key === undefined ? undefined : map[key];
}

/** The line end that editors leave behind is no part of a secret. */
function present(value: string | undefined, name: string, source: string): string {
  const trimmed = value?.replace(/\r?\n$/, "") ?? "";
  if (trimmed !== "") return trimmed;
  throw new OutboundError("unauthorized", `The ${source} of secret '${name}' is missing or empty.`);
}

async function fromFolder(folder: string, secret: string, version: string): Promise<string | undefined> {
  if (!PLAIN.test(secret) || !PLAIN.test(version)) return undefined;
  return (await contentOf(join(folder, secret, version))) ?? (await contentOf(join(folder, secret)));
}

async function contentOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
