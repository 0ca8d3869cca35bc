import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { createLogger, systemClock } from "#base";
import { openStorage, type Storage } from "#storage";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import {
  type CopyStore,
  copyApp,
  copyConversation,
  openPostgresCopies,
  openSqliteCopies,
} from "../../bench/stored-copies.ts";

const APP = "projects/p/locations/us/apps/bench-plain";
const NAME = `${APP}/conversations/original`;
const COPIES = 12;

async function store(storage: Storage): Promise<void> {
  const times = { createTime: 1, updateTime: 1, etag: "1" };
  const body = toBinary(
    AppSchema,
    create(AppSchema, { name: APP, displayName: "Plain", rootAgent: `${APP}/agents/desk` }),
  );
  const type = "ces.googleapis.com/App";
  await storage.resources.write([
    { kind: "put", row: { name: APP, type, parent: "projects/p/locations/us", displayName: "Plain", ...times, body } },
  ]);
  const head = {
    ...{
      name: NAME,
      app: APP,
      startTime: 1e12,
      endTime: 1e12,
      source: 1,
      inputTypes: [1],
      entryAgent: "",
      deployment: "",
    },
    ...{ appVersion: "", languageCode: "en", state: "{}" },
  };
  for (const index of [1, 2])
    await storage.conversations.appendTurn(
      { ...head, turnCount: index },
      { index, body: new Uint8Array([index]), extra: "", text: `words ${index}` },
    );
}

/** What every dialect must hold. */
function holdsCopies(open: () => Promise<Storage>, copies: () => Promise<CopyStore>): void {
  it("have the turns, words and app of the original, under names of their own", async () => {
    const first = await open();
    await store(first);
    await first.close();
    {
      await using filled = await copies();
      await copyConversation(filled, NAME, COPIES);
      await copyApp(filled, APP, 3);
    }
    await using storage = { ...(await open()), [Symbol.asyncDispose]: () => storage.close() };
    const copy = `${APP}/conversations/copy-${COPIES}`;
    const turns = await storage.conversations.getTurns(copy);
    assert.deepEqual(
      turns.map(({ index, body }) => [index, ...body]),
      [
        [1, 1],
        [2, 2],
      ],
    );
    assert.equal((await storage.conversations.getHead(copy))?.turnCount, 2);
    const names = await storage.resources.names({ type: "ces.googleapis.com/App", parent: "projects/p/locations/us" });
    assert.deepEqual(
      names,
      ["00001", "00002", "00003", "plain"].map((id) => `projects/p/locations/us/apps/bench-${id}`),
    );
    const row = await storage.resources.get(names[1] as string);
    assert.equal(row && fromBinary(AppSchema, row.body).rootAgent, `${names[1]}/agents/desk`);
  });
}

describe("copies of stored conversations and apps in SQLite", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-copies-"));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  holdsCopies(
    () => openStorage({ dataDir, clock: systemClock, logger: createLogger("silent") }),
    async () => openSqliteCopies(join(dataDir, "frontdesk.db")),
  );
});

describe("copies of stored conversations and apps in PostgreSQL", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres?.stop());
  holdsCopies(
    () =>
      openStorage({ dataDir: "", database: { url: postgres.url }, clock: systemClock, logger: createLogger("silent") }),
    () => openPostgresCopies(postgres.url),
  );
});
