import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const APPS = "projects/local/locations/us/apps";
const APP = `${APPS}/library`;
const TOOL = `${APP}/tools/manuals`;

/** What a caller does with the files of the tool at one server. */
function callerOf(server: TestServer) {
  const rest = restOf(() => server);
  const files = `${server.address}/upload/v1beta/${TOOL}/files`;
  return {
    rest,
    put: async (name: string, body: string) => (await fetch(`${files}/${name}`, { method: "PUT", body })).status,
    remove: async (name: string) => (await fetch(`${files}/${name}`, { method: "DELETE" })).status,
    names: async () => {
      const { files: listed } = (await (await fetch(files)).json()) as { files: { name: string }[] };
      return listed.map(({ name }) => name);
    },
    find: async (query: string): Promise<readonly string[]> => {
      const { response } = await rest("POST", `${APP}:executeTool`, { tool: TOOL, args: { query } });
      return (response.snippets ?? []).map(({ uri }: { uri: string }) => uri);
    },
    makeApp: async () => {
      await rest("POST", `${APPS}?appId=library`, { displayName: "Library" });
      await rest("POST", `${APP}/tools?toolId=manuals`, { fileSearchTool: { name: "manuals" } });
    },
  };
}

describe("files of file search tools", () => {
  it("that one server is given are found, replaced and deleted by another, and are there without the folder of the first", {
    skip: withoutPostgres(),
  }, async () => {
    await using resources = new AsyncDisposableStack();
    const postgres = await startPostgres();
    resources.defer(() => postgres.stop());
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const config = { database: { url: postgres.url, connections: 4 }, sealing };
    const start = async () => startTestServer({ config });
    const first = await start();
    const one = callerOf(first);
    const two = callerOf(resources.use(await start()));
    await one.makeApp();
    assert.equal(await one.put("laces.md", "# Laces\nLaces are washed by hand."), 200);
    assert.deepEqual(await two.find("how to wash laces"), ["laces.md"]);
    assert.equal(await two.put("laces.md", "# Boots\nBoots are brushed with care."), 200);
    assert.deepEqual([await one.find("brushing boots"), await one.find("laces")], [["laces.md"], []]);
    assert.equal(await one.put("soles.md", "# Soles\nSoles are glued."), 200);
    assert.equal(await two.remove("laces.md"), 200);
    assert.deepEqual(
      [await one.names(), await one.find("boots"), await one.remove("laces.md")],
      [["soles.md"], [], 404],
    );
    await first[Symbol.asyncDispose]();
    const three = callerOf(resources.use(await start()));
    assert.deepEqual([await three.names(), await three.find("soles")], [["soles.md"], ["soles.md"]]);
  });

  it("go with their app: one that is made anew under its name has none of them, nor has the data folder", async () => {
    await using server = await startTestServer();
    const { rest, ...caller } = callerOf(server);
    await caller.makeApp();
    await caller.put("laces.md", "# Laces\nLaces are washed by hand.");
    await rest("DELETE", APP);
    await caller.makeApp();
    assert.deepEqual(await caller.names(), []);
    assert.deepEqual(await caller.find("laces"), []);
    const left = await readdir(join(server.dataDir, "files"), { recursive: true });
    assert.deepEqual(
      left.filter((path) => path.endsWith(".md")),
      [],
    );
  });

  it("stay when a package is imported over their app", async () => {
    await using server = await startTestServer();
    const { rest, ...caller } = callerOf(server);
    await caller.makeApp();
    await caller.put("laces.md", "# Laces\nLaces are washed by hand.");
    const exported = await rest("POST", `${APP}:exportApp`, { exportFormat: "JSON" });
    const { appContent } = exported.response;
    const importStrategy = { importOptions: { conflictResolutionStrategy: "OVERWRITE" } };
    const imported = await rest("POST", `${APPS}:importApp`, { appId: "library", appContent, ...importStrategy });
    assert.equal(imported.error, undefined, JSON.stringify(imported));
    assert.deepEqual([await caller.names(), await caller.find("laces")], [["laces.md"], ["laces.md"]]);
  });
});
