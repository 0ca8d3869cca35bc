import assert from "node:assert/strict";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DataConnectionSchema, DataConnection_Engine as Engine } from "@frontdesk/protos/gda/data_connection";
import { createLogger, createSealer, systemIds } from "#base";
import type { ResourceRow, ResourceStore } from "#storage";
import type { Warehouse } from "#warehouse";
import { toConnectionRow } from "./connection-rows.ts";
import { createDataConnections } from "./data-connections.ts";

it("a project has no more than 200 connections, also when many are made at the same time (CA-61)", async () => {
  const parent = "projects/p/locations/us";
  const fields = { displayName: "Books", engine: Engine.POSTGRESQL, host: "db.example", database: "books" };
  const dataConnection = create(DataConnectionSchema, { ...fields, user: "reader", password: "secret" });
  const rows = Array.from({ length: 199 }, (_, at): ResourceRow => {
    const connection = create(DataConnectionSchema, { ...fields, name: `${parent}/dataConnections/connection_${at}` });
    return toConnectionRow({ connection, sealed: "", etag: "1" });
  });
  const connections = createDataConnections({
    store: {
      list: async () => ({ rows: [...rows] }),
      write: async (writes: readonly { readonly row: ResourceRow }[]) =>
        void rows.push(...writes.map(({ row }) => row)),
    } as unknown as ResourceStore,
    warehouse: { connections: { hosts: ["db.example"], probe: async () => 3 } } as unknown as Warehouse,
    sealer: createSealer([Buffer.alloc(32, 1)]),
    clock: { now: () => 0 },
    ids: systemIds,
    logger: createLogger("silent"),
  });
  const make = () =>
    connections.create({ parent, dataConnection, validateOnly: false } as never, "user:ada@example.com");
  const made = await Promise.allSettled([make(), make(), make()]);
  assert.deepEqual(made.map(({ status }) => status).toSorted(), ["fulfilled", "rejected", "rejected"]);
  assert.equal(rows.length, 200);
});
