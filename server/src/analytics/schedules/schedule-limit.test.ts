import assert from "node:assert/strict";
import { it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { CreateRefreshScheduleRequestSchema } from "@frontdesk/protos/gda/data_agent_service";
import { RefreshSchedule_Frequency as Frequency } from "@frontdesk/protos/gda/refresh_schedule";
import { ANONYMOUS, createSealer, systemIds } from "#base";
import type { ResourceStore } from "#storage";
import { createRefreshSchedules } from "./refresh-schedules.ts";
import { MAX_SCHEDULES } from "./schedule-rows.ts";

it("an agent has no more schedules than its limit, also when many are made at the same time (CA-50)", async () => {
  const parent = "projects/p/locations/us/dataAgents/books";
  const names = Array.from({ length: MAX_SCHEDULES - 1 }, (_, at) => `${parent}/refreshSchedules/${at}`);
  const schedules = createRefreshSchedules({
    store: {
      names: async () => [...names],
      write: async (writes: readonly { readonly row: { readonly name: string } }[]) =>
        void names.push(...writes.map(({ row }) => row.name)),
    } as unknown as ResourceStore,
    agents: { get: async () => ({ pinnedQuestions: [{ question: "How many?" }] }) as never },
    sealer: createSealer([Buffer.alloc(32, 1)]),
    clock: { now: () => 0 },
    ids: systemIds,
    isRuled: false,
  });
  const refreshSchedule = { question: "How many?", frequency: Frequency.DAILY };
  const request = create(CreateRefreshScheduleRequestSchema, { parent, refreshSchedule });
  const make = () => schedules.create(request, { ...ANONYMOUS, kind: "operator" });
  const made = await Promise.allSettled([make(), make(), make()]);
  assert.deepEqual(made.map(({ status }) => status).toSorted(), ["fulfilled", "rejected", "rejected"]);
  assert.equal(names.length, MAX_SCHEDULES);
});
