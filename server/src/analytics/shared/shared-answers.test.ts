import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  CreateSharedAnswerRequestSchema,
  ListSharedAnswersRequestSchema,
} from "@frontdesk/protos/gda/data_agent_service";
import { createLogger, systemIds } from "#base";
import { openStorage, type Storage } from "#storage";
import { createSharedAnswers, type SharedAnswers } from "./shared-answers.ts";

const LOCATION = "projects/p/locations/us";
const DAY_MS = 86_400_000;
let folder: string;
let storage: Storage;
let shared: SharedAnswers;
let now = 1;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-shared-"));
  const clock = { now: () => now };
  storage = await openStorage({ dataDir: folder, clock, logger: createLogger("silent") });
  shared = createSharedAnswers({ store: storage.resources, clock, ids: systemIds });
});
after(async () => {
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

/** A link below an agent, which ends after some days. */
async function share(agent: string, question: string, days: number, sqlQuery = "SELECT 1"): Promise<void> {
  now++;
  const expireTime = timestampFromMs(now + days * DAY_MS);
  const parent = `${LOCATION}/dataAgents/${agent}`;
  const sharedAnswer = { question, sqlQuery, expireTime };
  const draft = shared.draft(create(CreateSharedAnswerRequestSchema, { parent, sharedAnswer }));
  await shared.create(draft, "user:ann@example.com");
}

/** The questions of each page of a list. */
async function pagesOf(agent: string, pageSize: number): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let pageToken = ""; ; ) {
    const parent = `${LOCATION}/dataAgents/${agent}`;
    const request = create(ListSharedAnswersRequestSchema, { parent, pageSize, pageToken });
    const { sharedAnswers, nextPageToken } = await shared.list(request);
    pages.push(sharedAnswers.map(({ question }) => question));
    if (nextPageToken === "") return pages;
    pageToken = nextPageToken;
  }
}

it("lists all links of all agents in full pages, the newest first, without those that have ended (CA-60)", async () => {
  const begun = now;
  for (let at = 0; at < 120; at++) {
    await share("one", `one ${at}`, 1);
    await share("two", `two ${at}`, at % 3 === 0 ? 1 : 9);
  }
  now = begun + 2 * DAY_MS;
  const pages = await pagesOf("-", 60);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [60, 20],
  );
  assert.deepEqual(pages.flat().slice(0, 3), ["two 119", "two 118", "two 116"]);
});

it("makes room for new links when an agent has as many as it may and some have ended", async () => {
  for (let at = 0; at < 199; at++) await share("three", `three ${at}`, at < 10 ? 1 : 9);
  await share("three", "the last one", 9);
  await assert.rejects(share("three", "one more", 9), { message: /has 200 shared answers/ });
  now += 2 * DAY_MS;
  await share("three", "one more", 9);
  const all = (await pagesOf("three", 100)).flat();
  assert.deepEqual([all.length, all[0], all.at(-1)], [191, "one more", "three 10"]);
});

it("an agent has no more than 200 links, also when many are made at the same time (CA-60)", async () => {
  for (let at = 0; at < 199; at++) await share("full", `full ${at}`, 9);
  const made = await Promise.allSettled([1, 2, 3].map((at) => share("full", `at once ${at}`, 9)));
  assert.deepEqual(made.map(({ status }) => status).toSorted(), ["fulfilled", "rejected", "rejected"]);
});

it("ends a page early when its links have 4 MiB together (WIRE-25)", async () => {
  for (let at = 0; at < 30; at++) await share("four", `four ${at}`, 9, `SELECT 1${" ".repeat(190_000)}`);
  const pages = await pagesOf("four", 100);
  assert.deepEqual(
    pages.map(({ length }) => length),
    [16, 14],
  );
  assert.deepEqual(
    pages.flat(),
    Array.from({ length: 30 }, (_, at) => `four ${29 - at}`),
  );
});
