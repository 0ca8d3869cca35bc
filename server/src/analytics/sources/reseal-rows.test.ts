import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DataConnectionSchema, DataConnection_Engine as Engine } from "@frontdesk/protos/gda/data_connection";
import { RefreshScheduleSchema } from "@frontdesk/protos/gda/refresh_schedule";
import { createLogger, createSealer, type Sealer, systemIds } from "#base";
import { openStorage } from "#storage";
import type { Warehouse } from "#warehouse";
import { openPassword, sealPassword, toConnectionRow } from "../connections/connection-rows.ts";
import { createDataConnections } from "../connections/data-connections.ts";
import { createRefreshSchedules } from "../schedules/refresh-schedules.ts";
import { fromScheduleRow, toScheduleRow } from "../schedules/schedule-rows.ts";
import { originOf, sealWebhook } from "../schedules/webhook.ts";

const LOCATION = "projects/p/locations/us";
const CONNECTION = `${LOCATION}/dataConnections/connection_1`;
const SCHEDULE = `${LOCATION}/dataAgents/a/refreshSchedules/s`;
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

it("passwords and webhooks are sealed with the newest key, and those that no key opens are named (DB-19)", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-reseal-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [clock, logger, old] = [{ now: () => 0 }, createLogger("silent"), createSealer([OLD])];
  const { resources: store, close } = await openStorage({ dataDir: folder, clock, logger });
  t.after(close);
  const fields = { name: CONNECTION, displayName: "Books", engine: Engine.POSTGRESQL, host: "db", user: "reader" };
  const connection = create(DataConnectionSchema, fields);
  const secret = `whsec_${Buffer.alloc(24).toString("base64")}`;
  const schedule = create(RefreshScheduleSchema, { name: SCHEDULE, question: "How many?" });
  const runsAs = { kind: "user", principal: "user:a" } as const;
  const webhook = sealWebhook({ url: "https://hooks.example/secret-path", secret }, old);
  const rows = [
    toConnectionRow({ connection, sealed: sealPassword(CONNECTION, "pw", old), etag: "1" }),
    toScheduleRow({ schedule, runsAs, webhook, etag: "1" }),
  ];
  await store.write(rows.map((row) => ({ kind: "put", row })));

  /** What a server with these keys does at its start. */
  const reseal = async (sealer: Sealer) => {
    const deps = { ...{ store, sealer, clock, logger }, ids: systemIds };
    const warehouse = { connections: {} } as unknown as Warehouse;
    return [
      await createDataConnections({ ...deps, warehouse }).reseal(),
      await createRefreshSchedules({ ...deps, agents: {} as never, isRuled: false }).reseal(),
    ];
  };
  const none = { resealed: 0, unreadable: [] };
  const one = { resealed: 1, unreadable: [] };
  const unreadable = [CONNECTION, SCHEDULE].map((name) => ({ resealed: 0, unreadable: [name] }));
  assert.deepEqual(await reseal(createSealer([NEW])), unreadable);
  assert.deepEqual(await reseal(createSealer([NEW, OLD])), [one, one]);
  assert.deepEqual(await reseal(createSealer([NEW, OLD])), [none, none]);

  const left = createSealer([NEW]);
  const [kept, run] = [await store.get(CONNECTION), await store.get(SCHEDULE)];
  const { sealed } = JSON.parse(Buffer.from(kept?.body ?? []).toString());
  assert.equal(openPassword(CONNECTION, sealed, left), "pw");
  assert.equal(run && originOf(fromScheduleRow(run).webhook, left), "https://hooks.example");
});
