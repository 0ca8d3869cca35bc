// Writes releases/<version>.zip: the data folder of this release, with the example app and a conversation. To be run once, when a
// version is released: node server/test/storage/make-release.ts
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { startTestServer } from "#testing";
import { RELEASES, SESSION, say } from "./release-folders.ts";

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "frontdesk-release-"));
try {
  {
    await using server = await startTestServer({ dataDir: folder, example: true });
    const text = await say(server.address, SESSION, "Where is my order A-1001?");
    if (!/A-1001/.test(text)) throw new Error(`the conversation of the release says: ${text}`);
  }
  writeFileSync(join(RELEASES, `${version}.zip`), zipSync(filesOf(folder), { level: 9, mtime: "2026-01-01" }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** All files but caches, samples and locks, which are made again. */
function filesOf(folder: string): Record<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => !/^(cache|lock|samples)/.test(name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]));
}
