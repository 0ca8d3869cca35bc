import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { CreateDataAgentRequestSchema, DeleteDataAgentRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { createLogger, createSealer, SEALING_KEY_LENGTH, systemIds } from "#base";
import { openStorage, type Storage } from "#storage";
import { createWarehouse } from "#warehouse";
import { createDataStores, type DataStores } from "../create-data-stores.ts";

const LOCATION = "projects/p/locations/us";
const NAME = `${LOCATION}/dataAgents/sales`;
const DAY = 86_400_000;
const { signal } = new AbortController();

let folder: string;
let storage: Storage;
let stores: DataStores;
let now = Date.parse("2026-05-01T08:00:00Z");
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "data-keeping-"));
  const clock = { now: () => now };
  storage = await openStorage({ dataDir: folder, clock, logger: createLogger("silent") });
  const warehouse = createWarehouse({ sources: [], memory: "64MB", spillDir: join(folder, "spill") });
  const sealer = createSealer([new Uint8Array(SEALING_KEY_LENGTH)]);
  stores = createDataStores({
    store: storage.resources,
    blobs: storage.blobs,
    warehouse,
    sealer,
    clock,
    ids: systemIds,
    logger: createLogger("silent"),
  });
});
after(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

const make = (displayName: string, requestId = "") =>
  stores.agents.create(
    create(CreateDataAgentRequestSchema, {
      parent: LOCATION,
      dataAgentId: "sales",
      requestId,
      dataAgent: { displayName },
    }),
    (name) => [{ kind: "put", row: besides(name) }],
  );

/** A row that goes with the agent. */
const besides = (agent: string) => ({
  name: `${agent}/access/access`,
  type: "test/Access",
  parent: agent,
  displayName: "",
  createTime: now,
  updateTime: now,
  etag: String(now),
  body: new Uint8Array(),
});

describe("what is kept of data agents", () => {
  it("ends thirty days after their deletion, and then their ids are free", async () => {
    await make("First");
    await stores.agents.remove(create(DeleteDataAgentRequestSchema, { name: NAME }));
    now += 30 * DAY - 1;
    assert.deepEqual(await stores.retention.pass(signal), { purged: 0, forgotten: 0 });
    await assert.rejects(make("Second"), /already exists/);
    now += 1;
    assert.deepEqual(await stores.retention.pass(signal), { purged: 1, forgotten: 0 });
    await assert.rejects(stores.agents.get(NAME), /was not found/);
    assert.equal((await make("Second")).displayName, "Second");
    const row = await storage.resources.get(`${NAME}/access/access`);
    assert.equal(row?.etag, String(now), "what was written with the first is gone with it");
  });

  it("remembers requests with an id for an hour", async () => {
    const requestId = "0b7b9a3e-5d0a-4f0e-9a66-0d5a3b8f1c11";
    const parent = `${LOCATION}`;
    const request = create(CreateDataAgentRequestSchema, { parent, dataAgentId: "once", requestId, dataAgent: {} });
    const first = await stores.agents.create(request);
    now += 59 * 60_000;
    assert.deepEqual(await stores.agents.create(request), first);
    assert.deepEqual(await stores.retention.pass(signal), { purged: 0, forgotten: 0 });
    now += 60_000;
    await assert.rejects(stores.agents.create(request), /already exists/);
    assert.deepEqual(await stores.retention.pass(signal), { purged: 0, forgotten: 1 });
  });

  it("does nothing more once the signal is aborted", async () => {
    await stores.agents.remove(create(DeleteDataAgentRequestSchema, { name: NAME }));
    now += 31 * DAY;
    assert.deepEqual(await stores.retention.pass(AbortSignal.abort()), { purged: 0, forgotten: 0 });
    assert.equal((await stores.agents.get(NAME)).name, NAME);
  });
});
