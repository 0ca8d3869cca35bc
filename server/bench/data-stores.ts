// A part of `npm run bench -- tools`: what a question to a data store of 2,000 documents costs, by words alone and with vectors.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEgress, createLogger, systemClock } from "#base";
import type { EmbeddingModel } from "#models";
import { createSearch, type Search, type StoreQuestion } from "#search";

const DOCUMENTS = 2_000;
const WORDS_PER_DOCUMENT = 300;
const VOCABULARY = 20_000;
const QUESTIONS = 300;
const DIMENSIONS = 768;
const NAME = "projects/p/locations/global/collections/c/dataStores/bench";

/** Measures and prints the lines of data stores. */
export async function benchDataStores(folder: string): Promise<void> {
  const random = seeded(7);
  const documents = join(folder, "documents");
  mkdirSync(documents, { recursive: true });
  for (let at = 0; at < DOCUMENTS; at++) {
    const data = `---\nprice: ${at % 100}\n---\n`;
    writeFileSync(join(documents, `${at}.md`), `${data}# ${words(random, 4)}\n${words(random, WORDS_PER_DOCUMENT)}\n`);
  }
  await measure("by words", documents, join(folder, "words"), undefined);
  await measure("by words and vectors", documents, join(folder, "vectors"), randomEmbeddings(random));
}

async function measure(label: string, documents: string, indexFolder: string, embeddings: EmbeddingModel | undefined) {
  const egress = createEgress({ allowedPrivateHosts: [] });
  const dataStores = { [NAME]: { kind: "folder" as const, folder: documents } };
  const search = createSearch(
    { dataStores, engines: {}, corpora: {}, filesFolder: documents, indexFolder },
    { models: { resolve: () => notAsked() }, embeddings, egress, clock: systemClock, logger: createLogger("error") },
  );
  try {
    const random = seeded(11);
    const startedAt = performance.now();
    await untilIndexed(search, words(random, 5));
    say(`${label}: ${DOCUMENTS} documents indexed in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    await row(`${label}, five words`, () => ask(search, words(random, 5)));
    await row(`${label}, five words and a filter`, () => ask(search, words(random, 5), "price < 10"));
  } finally {
    await search.close();
    await egress.close();
  }
}

async function untilIndexed(search: Search, query: string): Promise<void> {
  for (;;) {
    try {
      return await ask(search, query);
    } catch (error) {
      if (!(error instanceof Error && /still being indexed/.test(error.message))) throw error;
    }
  }
}

async function ask(search: Search, query: string, filter = ""): Promise<void> {
  const source = { kind: "stores" as const, stores: [{ name: NAME, filter }] };
  const { signal } = new AbortController();
  const question: StoreQuestion = {
    ...{ query, source, filter: "", boosts: [], conversation: "", limit: 10, signal },
    app: "projects/p/locations/l/apps/a",
  };
  const { hits } = await search.stores(question);
  if (hits.length === 0 && filter === "") throw new Error(`nothing was found for '${query}'`);
}

async function row(label: string, run: () => Promise<void>): Promise<void> {
  const times: number[] = [];
  const processor = process.cpuUsage();
  for (let at = 0; at < QUESTIONS; at++) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(processor);
  times.sort((first, second) => first - second);
  const at = (share: number) => (times[Math.floor(share * times.length)] ?? 0).toFixed(2).padStart(7);
  const cpu = ((user + system) / 1_000 / QUESTIONS).toFixed(2);
  say(`${label.padEnd(40)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  processor ${cpu} ms`);
}

/** Words as people use them: few of them often, most of them seldom. */
function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => word(Math.floor(VOCABULARY ** random()))).join(" ");
}

function word(number: number): string {
  return `${"bcdfghjklmnp"[number % 12]}${"aeiou"[number % 5]}${number.toString(36)}`;
}

function randomEmbeddings(random: () => number): EmbeddingModel {
  return {
    label: "bench/random",
    embed: async (texts) => texts.map(() => Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5)),
    close: async () => {},
  };
}

/** The same numbers each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}

function notAsked(): never {
  throw new Error("no model is asked");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
