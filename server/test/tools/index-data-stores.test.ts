import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startTestServer } from "#testing";

const STORE = "projects/*/locations/*/collections/*/dataStores/site";

describe("a data store of which something could not be read (DB-17)", () => {
  it("is tried again as an operation about the whole server, and searched when it could be read", async (t) => {
    const indexFolder = mkdtempSync(join(tmpdir(), "frontdesk-index-"));
    t.after(() => rmSync(indexFolder, { recursive: true, force: true }));
    let away = true;
    const site = createServer((request, response) => {
      const page = `http://${request.headers.host}/boots.html`;
      const isMap = request.url === "/sitemap.xml";
      response.writeHead(away && !isMap ? 503 : 200, { "content-type": "text/html" });
      response.end(isMap ? `<urlset><url><loc>${page}</loc></url></urlset>` : "<title>Boots</title><p>Warm.</p>");
    }).listen(0, "127.0.0.1");
    await once(site, "listening");
    t.after(() => site.close());
    const { port } = site.address() as AddressInfo;
    const sitemap = `http://127.0.0.1:${port}/sitemap.xml`;
    const dataStores = { [STORE]: { kind: "sitemap" as const, sitemap, maxPages: 5, refreshMs: 3_600_000 } };
    const search = { dataStores, engines: {}, corpora: {}, filesFolder: indexFolder, indexFolder, embeddings: "" };
    await using server = await startTestServer({ config: { search, egressAllow: [`127.0.0.1:${port}`] } });
    const { operations } = server.app;
    const jobs = async () => (await operations.jobs({ parent: "projects/p/locations/l", size: 10 }, () => true)).jobs;

    while ((await jobs()).length === 0) await delay(20);
    const [job] = await jobs();
    assert.deepEqual(
      [job?.kind, job?.subject, job?.state],
      ["IndexDataStore", `projects/-/locations/-/${STORE}`, "waiting"],
    );
    assert.match(
      job?.error?.message ?? "",
      /^1 of 1 documents of the data store .*dataStores\/site' could not be read; the first: .* answers with status 503\.$/,
    );
    away = false;
    while ((await jobs())[0]?.state === "waiting") await delay(50);
    await operations.wait(job?.name ?? "", 20_000);
    assert.deepEqual(
      (await jobs()).map(({ state, attempts: failed }) => [state, failed]),
      [["succeeded", 1]],
    );
  });
});
