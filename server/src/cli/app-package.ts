import { readFile, stat } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import {
  AgentService,
  ExportAppResponseSchema,
  ExportAppRequest_ExportFormat as Format,
} from "@frontdesk/protos/ces/agent_service";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import { idOf } from "#aip";
import type { AppPackage } from "#app";
import { ifThere } from "#base";
import { appName } from "./app-name.ts";
import { CommandError, type CommandInput } from "./command.ts";
import { allPages } from "./server/all-pages.ts";
import { finished } from "./server/operation.ts";
import { commandErrorOf } from "./server/refusal-text.ts";
import { callServer, clientFor } from "./server/server-client.ts";

/** The operand that stands for standard input, or output, in place of a zip. */
export const STREAM = "-";

/** The package in a folder or a zip; undefined when there is neither. */
export async function packageAt(path: string): Promise<AppPackage | undefined> {
  if (path === STREAM) return { name: "standard input", zip: await readZip(path), warnings: [] };
  const found = await ifThere(stat(path));
  if (!found) return undefined;
  if (!found.isDirectory()) return { name: path, zip: await readZip(path), warnings: [] };
  const { packFolder } = await import("#app");
  return { name: path, ...(await asCommandError(() => packFolder(path, Date.now()))) };
}

/** A refusal of the code of the server, which runs here too, is for the user. */
export async function asCommandError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw commandErrorOf(error);
  }
}

/** The bytes of a zip; `-` is standard input. Another kind of file is refused by its name: whoever reads the bytes later does not know it. */
export async function readZip(path: string): Promise<Buffer> {
  const bytes =
    path === STREAM
      ? await standardInput()
      : await readFile(path).catch((error: unknown) => {
          throw Object.assign(error as Error, { path });
        });
  if (bytes.toString("latin1", 0, 2) === "PK") return bytes;
  throw new CommandError(`${path} is not a zip archive; name the folder of an app package, or a zip of it.`);
}

async function standardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) throw new CommandError("- is standard input: pass a zip to it, as in … < app.zip");
  return buffer(process.stdin);
}

/** The package of an app on a server: its draft, or a version by id or display name. */
export async function packageOnServer(
  app: string,
  version: string | undefined,
  input: CommandInput,
  manifests: "json" | "yaml" = "json",
): Promise<AppPackage> {
  const name = appName(app, input);
  return callServer(input, async () => {
    const appVersion = version === undefined ? "" : await versionName(name, version, input);
    const zip = await exportedPackage(name, appVersion, manifests, input);
    return { name: version === undefined ? app : `${app} ${version}`, zip, warnings: [] };
  });
}

/** The zip of an app, by resource names; `appVersion` "" is the draft. Rejects with the server's refusal. */
export async function exportedPackage(
  name: string,
  appVersion: string,
  manifests: "json" | "yaml",
  input: CommandInput,
): Promise<Uint8Array> {
  const exportFormat = manifests === "yaml" ? Format.YAML : Format.JSON;
  const operation = await clientFor(AgentService, input).exportApp({ name, exportFormat, appVersion });
  const response = await finished(operation, ExportAppResponseSchema, input);
  if (response.app.case === "appContent") return response.app.value;
  throw new CommandError(`the export of ${name} has no content.`);
}

/** The resource name of a version by id or display name. A display name of several is refused with their ids. */
export async function versionName(parent: string, version: string, input: CommandInput): Promise<string> {
  const versions = await versionsOf(parent, input);
  const named = versions.find(({ name }) => name === version || idOf(name) === version);
  if (named) return named.name;
  const [found, ...others] = versions.filter(({ displayName }) => displayName === version);
  if (found && others.length === 0) return found.name;
  if (found) {
    const ids = [found, ...others].map(({ name }) => idOf(name)).join(", ");
    throw new CommandError(
      `${others.length + 1} versions of the app have the name '${version}'. Name one by its id: ${ids}.`,
    );
  }
  const known = versions.map(({ displayName }) => displayName).join(", ") || "none";
  throw new CommandError(`'${version}' is not a version of the app; its versions are ${known}.`);
}

/** Refuses a display name for a new version that one of the app has already: later nobody could say which is meant. */
export async function checkNewVersionName(parent: string, wanted: string, input: CommandInput): Promise<void> {
  const taken = (await versionsOf(parent, input)).find(({ displayName }) => displayName === wanted);
  if (!taken) return;
  throw new CommandError(
    `the app has a version '${wanted}' already, ${idOf(taken.name)}: give the new one another --version-name, or deploy that one with --app-version ${idOf(taken.name)}.`,
  );
}

function versionsOf(parent: string, input: CommandInput): Promise<readonly AppVersion[]> {
  const client = clientFor(AgentService, input);
  return allPages(async (pageToken) => {
    const { appVersions, nextPageToken } = await client.listAppVersions({ parent, pageSize: 1_000, pageToken });
    return { items: appVersions, nextPageToken };
  });
}
