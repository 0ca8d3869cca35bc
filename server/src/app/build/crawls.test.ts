import assert from "node:assert/strict";
import { it } from "node:test";
import { createCrawls } from "./crawls.ts";

it("A crawl that takes long does not hold up a server that stops (TOOL-67)", async () => {
  const search = { crawls: [{ store: "site", everyMs: 1_000 }], refresh: () => new Promise<void>(() => {}) };
  const told: string[] = [];
  const replica = { subscribe: () => {}, tell: async (topic: string) => void told.push(topic) };
  const stop = new AbortController();
  const crawling = createCrawls(search, replica)[0]?.run(stop.signal);
  stop.abort();
  await crawling;
  assert.deepEqual(told, []);
});
