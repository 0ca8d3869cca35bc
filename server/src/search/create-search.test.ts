import assert from "node:assert/strict";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createLogger } from "#base";
import type { EmbeddingModel } from "#models";
import { jsonService, question, STORES, scratch, serve, testSearch, urisOf } from "./__fixtures__/test-search.ts";
import { type Search, SearchError } from "./contract.ts";
import type { SearchConfig } from "./search-config.ts";

const DOCS: Readonly<Record<string, string>> = {
  "returns.md":
    "---\nlang_code: en\nrating: 2\nupdated: 2020-01-01\n---\n# Returns\nSend shoes back within 30 days.\n# Refunds\nMoney comes in five days.",
  "rueckgabe.md":
    "---\nlang_code: de\nrating: 5\nupdated: 2026-01-01\n---\n# Rückgabe\nSchuhe (shoes) binnen 30 Tagen.",
  "sub/delivery.txt": "Parcels with shoes take three days. A parcel service brings them.",
  "japan.txt": "東京の店舗は午前十時に開きます。返品は三十日以内です。",
  "notes.bin": "shoes",
  ".hidden.txt": "shoes",
};

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, ".."), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function shop(t: TestContext, config: Partial<SearchConfig> = {}, deps: Parameters<typeof testSearch>[2] = {}) {
  const folder = await scratch(t);
  await write(folder, DOCS);
  const dataStores = { [`${STORES}/shop`]: { kind: "folder" as const, folder }, ...config.dataStores };
  return { folder, search: await testSearch(t, { ...config, dataStores }, deps) };
}

const ask = async (search: Search, query: string, more: Parameters<typeof question>[2] = {}) =>
  urisOf(await search.stores(question(query, "shop", more)));

describe("a data store on this machine", () => {
  it("finds passages by words in any form, and ignores hidden and unsupported files", async (t) => {
    const { search } = await shop(t);
    const { hits } = await search.stores(question("when will the money be refunded?", "shop"));
    assert.deepEqual(
      hits.map(({ uri, title, text }) => [uri, title, text]),
      [["returns.md", "Returns", "Refunds\nMoney comes in five days."]],
    );
    assert.deepEqual([...(await ask(search, "shoes"))].sort(), ["returns.md", "rueckgabe.md", "sub/delivery.txt"]);
  });

  it("finds words in scripts without spaces, and words without their accents", async (t) => {
    const { search } = await shop(t);
    assert.deepEqual(await ask(search, "返品"), ["japan.txt"]);
    assert.deepEqual(await ask(search, "ruckgabe"), ["rueckgabe.md"]);
  });

  it("ranks adjacent terms above separate ones", async (t) => {
    const folder = await scratch(t);
    const filler = "Nothing to see in this sentence about weather. ".repeat(3);
    await write(folder, {
      "apart.txt": `A parcel came. ${filler} The service was closed. No service. ${filler} Yet a parcel.`,
      "together.txt": `A parcel service comes at noon. ${filler}${filler}`,
    });
    const search = await testSearch(t, { dataStores: { [`${STORES}/shop`]: { kind: "folder", folder } } });
    assert.deepEqual((await ask(search, "parcel service"))[0], "together.txt");
  });

  it("applies the filters of the tool and of the model", async (t) => {
    const { search } = await shop(t);
    const stores = [{ name: `${STORES}/shop`, filter: "rating > 1" }];
    const source = { kind: "stores" as const, stores };
    assert.deepEqual([...(await ask(search, "shoes", { source }))].sort(), ["returns.md", "rueckgabe.md"]);
    assert.deepEqual(await ask(search, "shoes", { source, filter: 'lang_code: ANY("de")' }), ["rueckgabe.md"]);
  });

  it("boosts documents by conditions, numbers and age", async (t) => {
    const { search } = await shop(t, {}, { clock: { now: () => Date.parse("2026-01-11") } });
    const first = async (amount: Parameters<typeof question>[2]) => (await ask(search, "shoes 30", amount))[0];
    const boost = (condition: string, amount: number) => ({
      boosts: [{ stores: [`${STORES}/shop`], condition, amount }],
    });
    assert.equal(await first(boost('lang_code: ANY("de")', 1)), "rueckgabe.md");
    assert.equal(await first(boost('lang_code: ANY("de")', -1)), "returns.md");
    const day = 86_400_000;
    const fresh = {
      kind: "freshness" as const,
      field: "updated",
      points: [
        { at: 0, amount: 1 },
        { at: 30 * day, amount: -1 },
      ],
    };
    const rated = {
      kind: "numerical" as const,
      field: "rating",
      points: [
        { at: 1, amount: 1 },
        { at: 5, amount: -1 },
      ],
    };
    const curve = (amount: typeof fresh | typeof rated) => ({
      boosts: [{ stores: [`${STORES}/shop`], condition: "", amount }],
    });
    assert.equal(await first(curve(fresh)), "rueckgabe.md");
    assert.equal(await first(curve(rated)), "returns.md");
  });

  it("finds changed, new and deleted files with the next query", async (t) => {
    const { folder, search } = await shop(t);
    assert.deepEqual(await ask(search, "money"), ["returns.md"]);
    await write(folder, { "returns.md": "# Returns\nVouchers only.", "new.txt": "Money for old shoes." });
    await rm(join(folder, "japan.txt"));
    await seen(() => ask(search, "money"), ["new.txt"]);
    await seen(() => ask(search, "返品"), []);
    assert.deepEqual(await ask(search, "vouchers"), ["returns.md"]);
  });

  it("uses its index after a restart, and indexes only new files", async (t) => {
    const { folder, search } = await shop(t, { indexFolder: await scratch(t) });
    await ask(search, "shoes");
    await search.close();
    const read: string[] = [];
    const indexFolder = await scratch(t);
    const config = { dataStores: { [`${STORES}/shop`]: { kind: "folder" as const, folder } }, indexFolder };
    const first = await testSearch(t, config, { embeddings: counting(read) });
    await ask(first, "shoes");
    const before = read.length;
    await first.close();
    await write(folder, { "new.txt": "Laces." });
    const second = await testSearch(t, config, { embeddings: counting(read) });
    await seen(async () => (await ask(second, "laces")).slice(0, 1), ["new.txt"]);
    assert.deepEqual(
      read.slice(before).filter((text) => text.startsWith("document")),
      ["document new\nLaces."],
    );
  });

  it("rebuilds a damaged index", async (t) => {
    const indexFolder = await scratch(t);
    const { folder, search } = await shop(t, { indexFolder });
    await ask(search, "money");
    await search.close();
    for (const name of await readdir(indexFolder)) await writeFile(join(indexFolder, name), "damaged ".repeat(1_000));
    const dataStores = { [`${STORES}/shop`]: { kind: "folder" as const, folder } };
    const again = await testSearch(t, { dataStores, indexFolder });
    assert.deepEqual(await ask(again, "money"), ["returns.md"]);
  });

  it("reads metadata, titles and URLs of files from metadata.jsonl", async (t) => {
    const folder = await scratch(t);
    const metadata = {
      id: "1",
      structData: { title: "Guide", category: "help", url: "https://shop.example/guide" },
      content: { mimeType: "text/plain", uri: "gs://bucket/docs/guide.txt" },
    };
    await write(folder, {
      "docs/guide.txt": "Lacing shoes.",
      "other.txt": "Other shoes.",
      "metadata.jsonl": `${JSON.stringify(metadata)}\n`,
    });
    const search = await testSearch(t, {
      dataStores: { [`${STORES}/shop`]: { kind: "folder", folder, baseUrl: "https://x.example/a/" } },
    });
    const { hits } = await search.stores(question("shoes", "shop", { filter: 'category: ANY("help")' }));
    assert.deepEqual(
      hits.map(({ title, uri }) => [title, uri]),
      [["Guide", "https://shop.example/guide"]],
    );
    assert.deepEqual(await ask(search, "other"), ["https://x.example/a/other.txt"]);
  });

  it("fails where metadata.jsonl cannot be read, and does not answer without titles and categories", async (t) => {
    const folder = await scratch(t);
    await write(folder, { "guide.txt": "Lacing shoes.", "metadata.jsonl/no-file.txt": "A folder." });
    const search = await testSearch(t, { dataStores: { [`${STORES}/shop`]: { kind: "folder", folder } } });
    await assert.rejects(search.stores(question("shoes", "shop")), /metadata\.jsonl cannot be read: EISDIR/);
  });

  it("searches by vectors where passages are embedded, and by words when the provider fails", async (t) => {
    const { search } = await shop(t, {}, { embeddings: counting([]) });
    // The question shares no word with the passage, only its direction.
    assert.deepEqual((await ask(search, "reimbursement"))[0], "returns.md");
    const broken: EmbeddingModel = { ...counting([]), embed: () => Promise.reject(new Error("down")) };
    const { search: lame } = await shop(
      t,
      {},
      {
        embeddings: {
          ...broken,
          embed: async (_, { purpose }) => (purpose === "query" ? [] : Promise.reject(new Error("down"))),
        },
      },
    );
    assert.deepEqual(await ask(lame, "money"), ["returns.md"]);
  });

  it("is found by a name with wildcards, and as part of an engine", async (t) => {
    const folder = await scratch(t);
    await write(folder, DOCS);
    const search = await testSearch(t, {
      dataStores: { "projects/*/locations/*/collections/*/dataStores/shop": { kind: "folder", folder } },
      engines: { "projects/*/locations/*/collections/*/engines/all": [`${STORES}/shop`] },
    });
    assert.deepEqual(await ask(search, "money"), ["returns.md"]);
    const engine = "projects/q/locations/eu/collections/c/engines/all";
    assert.deepEqual(await ask(search, "money", { source: { kind: "engine", engine, stores: [], filter: "" } }), [
      "returns.md",
    ]);
  });

  it("that is not configured names the setting", async (t) => {
    const search = await testSearch(t, {});
    await assert.rejects(search.stores(question("x", "none")), (error) => {
      assert.ok(error instanceof SearchError);
      assert.equal(
        error.message,
        `The data store '${STORES}/none' is not configured: map it under search.dataStores in the configuration file, or set search.vertex to ask Vertex AI Search.`,
      );
      return true;
    });
  });

  it("over a missing folder reports it, until the folder exists", async (t) => {
    const folder = join(await scratch(t), "later");
    const search = await testSearch(t, { dataStores: { [`${STORES}/shop`]: { kind: "folder", folder } } });
    await assert.rejects(
      search.stores(question("x", "shop")),
      /^SearchError: The configured folder cannot be read: ENOENT\.$/,
    );
    await write(folder, DOCS);
    assert.deepEqual(await ask(search, "money"), ["returns.md"]);
    await write(folder, { "new.txt": "Vouchers." });
    await seen(() => ask(search, "vouchers"), ["new.txt"]);
  });
});

describe("a data store over a sitemap", () => {
  it("indexes the pages of its host, fetched through the egress gate", async (t) => {
    const address = await serve(t, (request, response) => {
      const host = request.headers.host;
      const urls = ["/a.html", "/b.html", "/gone.html"].map((path) => `<url><loc>http://${host}${path}</loc></url>`);
      const pages: Readonly<Record<string, string>> = {
        "/sitemap.xml": `<sitemapindex><sitemap><loc>http://${host}/pages.xml</loc></sitemap></sitemapindex>`,
        "/pages.xml": `<urlset>${urls.join("")}<url><loc>http://169.254.169.254/latest</loc></url></urlset>`,
        "/a.html": "<title>Boots</title><p>Boots are warm.</p>",
        "/b.html": "<title>Sandals</title><p>Sandals are not.</p>",
      };
      const page = pages[request.url ?? ""];
      response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(page);
    });
    const store = { kind: "sitemap" as const, sitemap: `${address}/sitemap.xml`, maxPages: 10, refreshMs: 60_000 };
    const search = await testSearch(t, { dataStores: { [`${STORES}/shop`]: store } });
    const { hits } = await search.stores(question("warm boots", "shop"));
    assert.deepEqual(
      hits.map(({ title, uri }) => [title, uri]),
      [["Boots", `${address}/a.html`]],
    );
  });

  it("keeps pages whose server is busy as they were, and reads them the next time (DB-17)", async (t) => {
    const busy = new Set(["/b.html"]);
    let round = 1;
    const address = await serve(t, (request, response) => {
      const path = request.url ?? "";
      const urls = ["/a.html", "/b.html"].map(
        (page) => `<url><loc>http://${request.headers.host}${page}</loc><lastmod>${round}</lastmod></url>`,
      );
      const page =
        path === "/sitemap.xml" ? `<urlset>${urls.join("")}</urlset>` : `<p>Boots of round ${round}, ${path}</p>`;
      response.writeHead(busy.has(path) ? 503 : 200, { "content-type": "text/html" }).end(page);
    });
    const name = `${STORES}/shop`;
    const store = { kind: "sitemap" as const, sitemap: `${address}/sitemap.xml`, maxPages: 10, refreshMs: 60_000 };
    const search = await testSearch(t, { dataStores: { [name]: store } });
    const told: (string | undefined)[] = [];
    search.onIndexed(async (key, error) => void told.push(error ? `${key}: ${error.message}` : undefined));
    const texts = async () =>
      (await search.stores(question("boots round", "shop"))).hits.map(({ text }) => text).toSorted();

    assert.deepEqual(await texts(), ["Boots of round 1, /a.html"]);
    await assert.rejects(search.refresh(name), {
      code: 14,
      message: /1 of 2 documents .*b\.html answers with status 503/,
    });
    busy.clear();
    await search.refresh(name);
    assert.deepEqual(await texts(), ["Boots of round 1, /a.html", "Boots of round 1, /b.html"]);
    round = 2;
    busy.add("/a.html");
    await assert.rejects(search.refresh(name));
    assert.deepEqual(await texts(), ["Boots of round 1, /a.html", "Boots of round 2, /b.html"]);
    assert.deepEqual(
      told.map((error) => error?.slice(0, name.length)),
      [name, name, undefined, name],
    );
  });

  it("is asked for each page once by the servers that share them (TOOL-67)", async (t) => {
    const asked: string[] = [];
    const address = await serve(t, (request, response) => {
      const path = request.url ?? "";
      if (path !== "/sitemap.xml") asked.push(path);
      const urls = ["/a.html", "/b.html"].map(
        (page) => `<url><loc>http://${request.headers.host}${page}</loc><lastmod>1</lastmod></url>`,
      );
      response.writeHead(200, { "content-type": "text/html" });
      response.end(path === "/sitemap.xml" ? `<urlset>${urls.join("")}</urlset>` : `<p>Boots, größer, ${path}</p>`);
    });
    const name = `${STORES}/shop`;
    const store = { kind: "sitemap" as const, sitemap: `${address}/sitemap.xml`, maxPages: 10, refreshMs: 60_000 };
    const kept = new Map<string, Uint8Array>();
    const pages = {
      get: async (key: string) => kept.get(key),
      put: async (key: string, bytes: Uint8Array) => void kept.set(key, bytes),
    };
    const texts = async (search: Search) =>
      (await search.stores(question("boots", "shop"))).hits.map(({ text }) => text).toSorted();
    for (const server of ["one", "two"]) {
      const search = await testSearch(t, { dataStores: { [name]: store } }, { pages });
      assert.deepEqual(search.crawls, [{ store: name, everyMs: 60_000 }]);
      assert.deepEqual(await texts(search), ["Boots, größer, /a.html", "Boots, größer, /b.html"], server);
    }
    assert.deepEqual(asked.toSorted(), ["/a.html", "/b.html"]);
    const pageStoreAway = {
      get: () => Promise.reject(new Error("away")),
      put: () => Promise.reject(new Error("away")),
    };
    const warned: string[] = [];
    const logger = { ...createLogger("silent"), warn: (_: object, text: string) => void warned.push(text) } as never;
    const alone = await testSearch(t, { dataStores: { [name]: store } }, { pages: pageStoreAway, logger });
    assert.equal((await texts(alone)).length, 2);
    assert.equal(asked.length, 4);
    assert.deepEqual(warned, ["pages are not shared with the other servers"]);
  });

  it("that is not configured is not read", async (t) => {
    const search = await testSearch(t, {});
    await search.refresh(`${STORES}/gone`);
  });

  it("that does not respond is reported", async (t) => {
    const { address } = await jsonService(t, () => ({}), 500);
    const store = { kind: "sitemap" as const, sitemap: `${address}/sitemap.xml`, maxPages: 10, refreshMs: 60_000 };
    const search = await testSearch(t, { dataStores: { [`${STORES}/shop`]: store } });
    await assert.rejects(search.stores(question("x", "shop")), /sitemap.xml answers with status 500/);
  });
});

describe("the files of a file search tool", () => {
  const file = { query: "laces", app: "projects/p/locations/l/apps/shop", tool: "manuals", limit: 5 };

  it("are in the folder of its app and name, or in that of its corpus", async (t) => {
    const filesFolder = await scratch(t);
    const folder = await scratch(t);
    await write(filesFolder, {
      "p/l/shop/manuals/laces.txt": "Laces of the tool.",
      "p/l/shop/other/laces.txt": "Laces of another.",
    });
    await write(folder, { "laces.txt": "Laces of the corpus." });
    const corpus = "projects/p/locations/l/ragCorpora/own";
    const search = await testSearch(t, { filesFolder, corpora: { [corpus]: { folder } } });
    const textsOf = async (name: string) =>
      (await search.files({ ...file, corpus: name, signal: new AbortController().signal })).map(({ text }) => text);
    assert.deepEqual(await textsOf(""), ["Laces of the tool."]);
    assert.deepEqual(await textsOf(corpus), ["Laces of the corpus."]);
    await assert.rejects(textsOf(`${corpus}x`), /map it to a folder under search.corpora/);
    const none = search.files({ ...file, tool: "a/b", corpus: "", signal: new AbortController().signal });
    await assert.rejects(none, {
      message:
        "The tool 'a/b' has no files yet: upload them ('frontdesk files'), or put them into 'p/l/shop/a_b~c14cddc0' below the folder of search.files.",
    });
  });
});

/** An embedding at the edge: two directions, money and everything else. Remembers what it was asked. */
function counting(read: string[]): EmbeddingModel {
  return {
    label: "test/directions",
    embed: async (texts, { purpose }) => {
      read.push(...texts.map((text) => `${purpose} ${text}`));
      return texts.map((text) => Float32Array.from(/money|reimburse/i.test(text) ? [1, 0.1] : [-1, 0.1]));
    },
    close: async () => {},
  };
}

/** The operating system reports a change of the folder after a moment. */
async function seen(ask: () => Promise<readonly string[]>, wanted: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (JSON.stringify(await ask()) === JSON.stringify(wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(await ask(), wanted);
}
