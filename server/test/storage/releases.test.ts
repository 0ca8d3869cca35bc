import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startTestServer } from "#testing";
import { RELEASES, SESSION, say, unpackRelease } from "./release-folders.ts";

const CONVERSATION = SESSION.replace("/sessions/", "/conversations/");
const PARENT = "projects/local/locations/us";

describe("the data folder of a released version", () => {
  const files = readdirSync(RELEASES);
  it("is kept for each version", () => assert.ok(files.length > 0));

  for (const file of files)
    it(`is opened: ${file}`, async (t) => {
      const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-released-"));
      t.after(() => rmSync(dataDir, { recursive: true, force: true }));
      unpackRelease(file, dataDir);
      await using server = await startTestServer({ dataDir });
      const get = (path: string) => fetch(`${server.address}/v1beta/${path}`).then((response) => response.json());
      const { apps } = (await get(`${PARENT}/apps`)) as { readonly apps: readonly { readonly name: string }[] };
      assert.ok(apps.some(({ name }) => name === `${PARENT}/apps/order-desk`));
      const before = (await get(CONVERSATION)) as { readonly turnCount: number };
      assert.equal(before.turnCount, 1);
      assert.match(await say(server.address, SESSION, "And where is my order A-1002?"), /A-1002/);
      const after = (await get(CONVERSATION)) as { readonly turnCount: number };
      assert.equal(after.turnCount, 2);
    });
});
