import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const APPS = "projects/local/locations/us/apps";
const APP = `${APPS}/boots-shop`;
const TOOL = `${APP}/tools/pages`;
const STORE = "projects/*/locations/*/collections/*/dataStores/site";

it("What one server of a database reads of a changed site, the others find without asking for it (TOOL-67)", {
  skip: withoutPostgres(),
}, async (t) => {
  const postgres = await startPostgres();
  t.after(() => postgres.stop());
  let edition = 1;
  const asked: string[] = [];
  const site = createServer((request, response) => {
    const isMap = request.url === "/sitemap.xml";
    if (!isMap) asked.push(`edition ${edition}`);
    const page = `<loc>http://${request.headers.host}/boots.html</loc><lastmod>${edition}</lastmod>`;
    response.writeHead(200, { "content-type": "text/html" });
    response.end(isMap ? `<urlset><url>${page}</url></urlset>` : `<p>Boots of edition ${edition}.</p>`);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  t.after(() => site.close());
  const { port } = site.address() as AddressInfo;
  const store = {
    kind: "sitemap" as const,
    sitemap: `http://127.0.0.1:${port}/sitemap.xml`,
    maxPages: 5,
    refreshMs: 3_600_000,
  };
  const start = () => {
    const indexFolder = mkdtempSync(join(tmpdir(), "frontdesk-index-"));
    t.after(() => rmSync(indexFolder, { recursive: true, force: true }));
    const search = {
      dataStores: { [STORE]: store },
      engines: {},
      corpora: {},
      filesFolder: indexFolder,
      indexFolder,
      embeddings: "",
    };
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const database = { url: postgres.url, connections: 4 };
    return startTestServer({ config: { search, sealing, database, egressAllow: [`127.0.0.1:${port}`] } });
  };
  await using one = await start();
  await using two = await start();
  const call = restOf(() => one);
  await call("POST", `${APPS}?appId=boots-shop`, { displayName: "Shop" });
  const dataStoreSource = { dataStore: { name: STORE.replaceAll("*", "x") } };
  await call("POST", `${APP}/tools?toolId=pages`, {
    dataStoreTool: { name: "pages", dataStoreSource },
  });
  const found = async (server: TestServer): Promise<string> =>
    JSON.stringify(await restOf(() => server)("POST", `${APP}:executeTool`, { tool: TOOL, args: { query: "boots" } }));
  for (const server of [one, two]) while (!(await found(server)).includes("Boots of edition 1.")) await delay(20);
  asked.length = 0;
  edition = 2;
  await one.app.crawls[0]?.run(new AbortController().signal);
  for (const server of [one, two]) while (!(await found(server)).includes("Boots of edition 2.")) await delay(20);
  assert.deepEqual(asked, ["edition 2"]);
});
