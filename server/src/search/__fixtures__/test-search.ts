import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createEgress, createLogger, systemClock } from "#base";
import type { LanguageModel } from "#models";
import type { Search, SearchHit, StoreAnswer, StoreQuestion } from "../contract.ts";
import { createSearch, type SearchDeps } from "../create-search.ts";
import type { SearchConfig } from "../search-config.ts";

export const STORES = "projects/p/locations/global/collections/default_collection/dataStores";

/** A folder that goes when the test ends. */
export async function scratch(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-search-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Without a provider: a model that cannot summarize, so a search must not ask it. */
const NO_MODEL: LanguageModel = {
  label: "test/rules",
  capabilities: { instructionFollowing: false, dialogueContext: false, safetySettings: false },
  stream: () => assert.fail("no model is asked"),
};

/** A search that closes when the test ends; loopback is open to what apps fetch. */
export async function testSearch(t: TestContext, config: Partial<SearchConfig>, deps: Partial<SearchDeps> = {}): Promise<Search> {
  const indexFolder = config.indexFolder ?? (await scratch(t));
  const search = createSearch(
    { dataStores: {}, engines: {}, corpora: {}, filesFolder: indexFolder, ...config, indexFolder },
    {
      models: { resolve: () => NO_MODEL },
      egress: openEgress(),
      accessToken: async () => "token-1",
      clock: systemClock,
      logger: createLogger("silent"),
      ...deps,
    },
  );
  t.after(() => search.close());
  return search;
}

/** An egress gate that lets loopback through. */
export function openEgress() {
  return createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
}

/** A question to one store, by its id. */
export function question(query: string, store: string, more: Partial<StoreQuestion> = {}): StoreQuestion {
  return {
    query,
    app: "projects/p/locations/l/apps/shop",
    source: { kind: "stores", stores: [{ name: `${STORES}/${store}`, filter: "" }] },
    filter: "",
    boosts: [],
    conversation: "",
    limit: 10,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Where the passages of an answer are from, in order. */
export function urisOf({ hits }: Pick<StoreAnswer, "hits"> | { readonly hits: readonly SearchHit[] }): readonly string[] {
  return hits.map(({ uri }) => uri);
}

/** Serves on loopback until the test ends; answers its address. */
export async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that answers JSON and remembers what it was asked. */
export async function jsonService(t: TestContext, answer: (url: URL, body: string) => unknown, status = 200) {
  const asked: { method: string; url: URL; headers: Record<string, unknown>; body: unknown }[] = [];
  const address = await serve(t, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? "/", "http://service");
    asked.push({ method: request.method ?? "", url, headers: request.headers, body: body ? JSON.parse(body) : undefined });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer(url, body)));
  });
  return { address, asked };
}
