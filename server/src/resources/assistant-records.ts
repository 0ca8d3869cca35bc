import { type AssistantSession, AssistantSessionSchema } from "@frontdesk/protos/ces/assistant_session";
import { resourceTypeOf } from "#aip";
import type { Clock } from "#base";
import { notFound } from "#status";
import type { ResourceRow, ResourceStore } from "#storage";
import type { AssistantRecords } from "./contract.ts";
import { recordRow } from "./record-write.ts";
import { fromRow } from "./resource.ts";

/** Creates the writer of assistant sessions. */
export function createAssistantRecords(store: ResourceStore, clock: Clock): AssistantRecords {
  const type = resourceTypeOf(AssistantSessionSchema)?.type ?? "";
  const read = (row: ResourceRow) => fromRow(AssistantSessionSchema, row) as unknown as AssistantSession;
  return {
    find: async (name) => {
      const row = (await store.getMany([name])).get(name);
      return row?.type === type ? read(row) : undefined;
    },
    get: async (name) => {
      const row = (await store.getMany([name])).get(name);
      if (row?.type !== type) throw notFound(name, type);
      return read(row);
    },
    latest: async (app, limit) => {
      const query = { type, parent: app, orderBy: "update_time", descending: true, limit } as const;
      return (await store.list(query)).rows.map(read);
    },
    put: (session) => store.write([{ kind: "put", row: recordRow(session, clock.now()) }]).then(() => undefined),
  };
}
