import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Egress, EgressError, isJsonObject } from "#base";
import { OutboundError, type SecretSources } from "./contract.ts";

const SECRET_NAME = /^projects\/([^/]+)\/secrets\/([^/]+)(?:\/versions\/([^/]+))?$/;
/** Segments of a secret's name that are safe as file names. */
const SAFE_FILE_NAME = /^[\w-]+$/;

/** Reads the value of a secret version. Nothing is cached, so a rotated secret takes effect with the next call. */
export type ReadSecret = (name: string) => Promise<string>;

/** Creates the reader. Sources are tried in this order: environment, files, folder, Secret Manager (with `accessToken`). */
export function createSecretReader(
  sources: SecretSources,
  egress: Egress,
  accessToken: () => Promise<string>,
): ReadSecret {
  return async (name) => {
    const [, project, secret = "", version = "latest"] = SECRET_NAME.exec(name) ?? [];
    if (project === undefined)
      throw new OutboundError(
        "unauthorized",
        `'${name}' is not the name of a secret version (projects/P/secrets/S/versions/V).`,
      );
    const keys = [name, `projects/${project}/secrets/${secret}`, secret];
    const variable = lookUp(sources.environment, keys);
    if (variable !== undefined) return nonEmpty(sources.variable(variable), name, `environment variable ${variable}`);
    const path = lookUp(sources.files, keys);
    if (path !== undefined) return nonEmpty(await readIfPresent(path), name, "file");
    const found = sources.folder && (await readFromFolder(sources.folder, secret, version));
    if (found) return nonEmpty(found, name, "file");
    if (sources.secretManager)
      return accessSecretVersion(
        `projects/${project}/secrets/${secret}/versions/${version}`,
        egress,
        await accessToken(),
      );
    throw new OutboundError(
      "unauthorized",
      `Secret '${name}' is not known to this server. The operator can configure its source under 'outbound.secrets' of the config file.`,
    );
  };
}

function lookUp(map: Readonly<Record<string, string>>, keys: readonly string[]): string | undefined {
  const key = keys.find((candidate) => Object.hasOwn(map, candidate));
  return key === undefined ? undefined : map[key];
}

/** The value without the line end that editors append to files. */
function nonEmpty(value: string | undefined, name: string, source: string): string {
  const trimmed = value?.replace(/\r?\n$/, "") ?? "";
  if (trimmed !== "") return trimmed;
  throw new OutboundError("unauthorized", `The ${source} of secret '${name}' is missing or empty.`);
}

async function readFromFolder(folder: string, secret: string, version: string): Promise<string | undefined> {
  if (!SAFE_FILE_NAME.test(secret) || !SAFE_FILE_NAME.test(version)) return undefined;
  return (await readIfPresent(join(folder, secret, version))) ?? (await readIfPresent(join(folder, secret)));
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

const SECRET_MANAGER = "https://secretmanager.googleapis.com/v1/";

/** Reads a version's payload from Google Secret Manager (AccessSecretVersion) with this server's own identity. */
async function accessSecretVersion(name: string, egress: Egress, token: string): Promise<string> {
  const { status, body } = await callSecretManager(`${SECRET_MANAGER}${name}:access`, name, egress, token);
  if (status !== 200) throw new OutboundError("unauthorized", `Secret Manager answered ${status} for '${name}'.`);
  const response: unknown = JSON.parse(new TextDecoder().decode(body));
  const payload = isJsonObject(response) && isJsonObject(response.payload) ? response.payload.data : undefined;
  if (typeof payload === "string") return Buffer.from(payload, "base64").toString("utf8");
  throw new OutboundError("unauthorized", `Secret Manager has no payload for '${name}'.`);
}

async function callSecretManager(url: string, name: string, egress: Egress, token: string) {
  try {
    return await egress.fetch({
      method: "GET",
      url,
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: 10_000,
      maxBytes: 256 * 1024,
      followRedirects: false,
    });
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    throw new OutboundError(
      "unauthorized",
      `Secret Manager could not be called for '${name}': ${error.message}.`,
      error,
    );
  }
}
