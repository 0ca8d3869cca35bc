import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { packFolder, unpackToFolder } from "#resources";
import type { TestServer } from "#testing";
import { callServer, operateServer } from "../python/call-server.ts";

/** The location of the apps of these tests. */
export const LOCATION = "projects/local/locations/us";

/** The files of a package, texts by their path in the app's folder. */
export type Texts = Readonly<Record<string, string>>;

/** Imports a package as the app of an id, by REST, and returns the warnings. */
export async function importTexts(server: TestServer, appId: string, texts: Texts): Promise<readonly string[]> {
  const appContent = await contentOf(texts);
  const { warnings = [] } = await operateServer(server, `${LOCATION}/apps:importApp`, { appId, appContent });
  return warnings;
}

/** The `appContent` of an ImportApp request. */
export async function contentOf(texts: Texts): Promise<string> {
  return inFolder(async (folder) => {
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return Buffer.from((await packFolder(folder, 0)).zip).toString("base64");
  });
}

/** Exports an app, or a version of it, by REST. */
export async function exportTexts(server: TestServer, appId: string, more: object = {}): Promise<Texts> {
  const path = `${LOCATION}/apps/${appId}:exportApp`;
  const { appContent } = await operateServer(server, path, { exportFormat: "JSON", ...more });
  return inFolder(async (folder) => {
    await unpackToFolder(Buffer.from(String(appContent), "base64"), folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const texts = files.map(async (file) => [relative(folder, file), await readFile(file, "utf8")] as const);
    return Object.fromEntries(await Promise.all(texts));
  });
}

/** A resource of an app by REST; `change` is a PATCH of its fields. */
export function resource(server: TestServer, path: string, change?: object) {
  const mask = change ? `?updateMask=${Object.keys(change).join(",")}` : "";
  return callServer(server, change ? "PATCH" : "GET", `${LOCATION}/apps/${path}${mask}`, change);
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-package-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
