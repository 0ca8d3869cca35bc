// The assistant is an app like any other: its package is one that an export writes, and the linter has nothing to say about it.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lintApp, packFolder, readConfig } from "#app";
import { unpackToFolder } from "#resources";
import { startTestServer, TEST_CACHE, type TestServer } from "#testing";
import { finished } from "../generation/generate.ts";
import { restOf } from "../rest.ts";

const PACKAGE = join(import.meta.dirname, "../../../examples/assistant/app");

let server: TestServer;
let folder: string;
before(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), "frontdesk-assistant-test-"));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function textsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map(async (file) => [file.slice(path.length), await readFile(file, "utf8")]));
  return Object.fromEntries(texts);
}

describe("the package of the assistant", () => {
  it("is the same byte for byte after import and export", async () => {
    const rest = restOf(() => server);
    const { zip } = await packFolder(PACKAGE, 0);
    const parent = "projects/local/locations/us";
    const started = await rest("POST", `${parent}/apps:importApp`, {
      appId: "assistant",
      appContent: Buffer.from(zip).toString("base64"),
    });
    assert.equal((await finished(server, started)).response.name, `${parent}/apps/assistant`);
    const exporting = await rest("POST", `${parent}/apps/assistant:exportApp`, { exportFormat: "JSON" });
    const { response } = await finished(server, exporting);
    const exported = join(folder, "exported");
    await unpackToFolder(Buffer.from(response.appContent, "base64"), exported);
    assert.deepEqual(await textsOf(exported), await textsOf(PACKAGE));
  });

  it("has nothing that the linter finds", async () => {
    const config = readConfig(["--data", join(folder, "data"), "--log", "silent"], { FRONTDESK_CACHE: TEST_CACHE });
    assert.deepEqual((await lintApp({ folder: PACKAGE }, config)).findings, []);
  });
});
