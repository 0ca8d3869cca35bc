import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { RefreshSchedule_Frequency as Frequency, RefreshScheduleSchema } from "@frontdesk/protos/gda/refresh_schedule";
import { createLogger, type Egress, type Sealer, systemIds } from "#base";
import { unavailable } from "#status";
import { openStorage, type Storage } from "#storage";
import type { StatementOutcome } from "../statements/contract.ts";
import { createRefreshes } from "./run-refreshes.ts";
import { toScheduleRow } from "./schedule-rows.ts";

const AGENT = "projects/p/locations/global/dataAgents/sales";
const HOUR = 3_600_000;
const NOW = 1_000 * HOUR;
const nameOf = (at: number) => `${AGENT}/refreshSchedules/s${String(at).padStart(4, "0")}`;

let folder: string;
let storage: Storage;
let now = NOW;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "frontdesk-refreshes-"));
  storage = await openStorage({ dataDir: folder, clock: { now: () => now }, logger: createLogger("silent") });
});
after(async () => {
  await storage.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  now = NOW;
  await storage.resources.write([{ kind: "delete-tree", prefix: AGENT }]);
});

/** Stores schedules that run every hour, and are due now. */
async function putDue(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => {
    const [startTime, nextRunTime] = [timestampFromMs(0), timestampFromMs(NOW)];
    const fields = { name: nameOf(at), question: `q${at}`, frequency: Frequency.HOURLY, startTime, nextRunTime };
    const schedule = create(RefreshScheduleSchema, fields);
    return toScheduleRow({ schedule, runsAs: { kind: "user", principal: "user:a" }, webhook: "", etag: `e${at}` });
  });
  await storage.resources.write(rows.map((row) => ({ kind: "put", row })));
}

/** What runs them. `fails`: the questions that cannot be answered. */
function refreshing(fails: ReadonlySet<string> = new Set()) {
  const told = { read: 0, asked: [] as string[], succeeded: [] as string[], failed: [] as string[] };
  const store: Storage["resources"] = {
    ...storage.resources,
    list: async (query) => {
      const page = await storage.resources.list(query);
      told.read += page.rows.length;
      return page;
    },
  };
  const refreshes = createRefreshes({
    store,
    answer: async ({ question }) => {
      told.asked.push(question);
      if (fails.has(question)) throw unavailable("The warehouse is away.");
      return {} as StatementOutcome;
    },
    outcomes: {
      succeeded: async (name) => void told.succeeded.push(name),
      failed: async (name) => void told.failed.push(name),
    },
    egress: {} as Egress,
    sealer: {} as Sealer,
    clock: { now: () => now },
    ids: systemIds,
    logger: createLogger("silent"),
    isRuled: false,
  });
  return { refreshes, told };
}

const signal = new AbortController().signal;

describe("a pass over schedules (CA-50)", () => {
  it("reads each of those that are due once, however many there are, and runs it once", async () => {
    await putDue(50);
    const { refreshes, told } = refreshing();
    await refreshes.pass(signal);
    assert.deepEqual([told.asked.length, new Set(told.asked).size, told.succeeded.length], [50, 50, 50]);
    assert.ok(told.read < 60, `${told.read} rows were read`);
    await refreshes.pass(signal);
    assert.equal(told.asked.length, 50);
  });

  it("tells of each that failed, and of the others as if it had not", async () => {
    await putDue(5);
    const { refreshes, told } = refreshing(new Set(["q1"]));
    await refreshes.pass(signal);
    assert.deepEqual([told.failed, told.succeeded.length], [[nameOf(1)], 4]);
  });
});

describe("another attempt at a schedule", () => {
  it("asks its question again before it is due, and rejects with the error of the question", async () => {
    await putDue(1);
    const fails = new Set(["q0"]);
    const { refreshes, told } = refreshing(fails);
    await refreshes.pass(signal);
    await assert.rejects(refreshes.again(nameOf(0), signal), /The warehouse is away/);
    fails.clear();
    await refreshes.again(nameOf(0), signal);
    assert.equal(told.asked.length, 3);
  });

  it("does nothing for one that is gone", async () => {
    const { refreshes, told } = refreshing();
    await refreshes.again(nameOf(9), signal);
    assert.deepEqual(told.asked, []);
  });
});
