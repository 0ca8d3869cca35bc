import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createEgress, createLogger, type JsonObject } from "#base";
import { createGoogleService } from "#session";
import { createLocalJobs, type ExportStore, type StoredExport } from "#storage";
import { startBigQueryTables, startCloudLogging } from "#testing/google";
import { createMetrics } from "../metrics/metrics.ts";
import { createDelivery } from "./delivery.ts";
import { bigquerySender, loggingSender, type Send } from "./senders.ts";

const NOW = Date.parse("2026-11-01T00:00:00Z");
const DAY = 86_400_000;
const egress = createEgress({ allowedPrivateHosts: ["127.0.0.1"] });
const serviceOf = (label: string) => createGoogleService({ label, egress, accessToken: async () => "a-token" });

/** A store of one destination, whose oldest row was stored at `createTime`. */
function storeOf(bodies: readonly JsonObject[], createTime = NOW): ExportStore & { readonly left: () => number } {
  let rows: readonly StoredExport[] = bodies.map((body, id) => ({ id, createTime, body: JSON.stringify(body) }));
  return {
    destinations: async () => (rows.length > 0 ? ["service/one"] : []),
    next: async () => rows,
    remove: async (ids) => {
      rows = rows.filter(({ id }) => !ids.includes(id));
    },
    oldest: async () => rows[0]?.createTime,
    left: () => rows.length,
  };
}

/** Delivers all rows of a store, and returns how many ended how. */
async function outcomes(
  store: ReturnType<typeof storeOf>,
  send: Send,
  isDoubted = false,
): Promise<Readonly<Record<string, number>>> {
  const metrics = createMetrics({ isReady: async () => true, guests: () => 0 });
  const clock = { now: () => NOW };
  const logger = createLogger("silent");
  const jobs = createLocalJobs({ clock, logger });
  const deps = { store, jobs, metrics, clock, logger, senderOf: () => send, delayMs: 0 };
  const delivery = await createDelivery({ ...deps, isClockDoubted: async () => isDoubted });
  delivery.wake();
  const ended = async () => (await metrics.exports.get()).values;
  while (store.left() > 0 && !(isDoubted && (await ended()).length > 0))
    await new Promise((resolve) => setTimeout(resolve, 10));
  await delivery.close();
  const values = await ended();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

describe("delivery of exported turns (CONV-16)", () => {
  it("gives up the row that BigQuery rejects, and stores the others", async () => {
    await using bigquery = await startBigQueryTables({ datasets: ["p.d"] });
    const table = { kind: "bigquery", project: "p", dataset: "d", table: "t" } as const;
    const send = bigquerySender({ service: serviceOf("BigQuery"), endpoint: bigquery.address }, table);
    const row = (insertId: string, json: JsonObject) => ({ insertId, json });
    const rows = [row("a", { turn_index: 1 }), row("b", { turn_index: "no number" }), row("c", { turn_index: 3 })];
    assert.deepEqual(await outcomes(storeOf(rows), send), { delivered: 2, rejected: 1 });
    assert.deepEqual(bigquery.rows("p.d.t"), [{ turn_index: 1 }, { turn_index: 3 }]);
  });

  it("gives up the entry for which Cloud Logging rejects a whole request, and stores the others", async () => {
    await using logging = await startCloudLogging();
    const send = loggingSender({ service: serviceOf("Cloud Logging"), endpoint: logging.address });
    const entries = ["a", "x".repeat(300_000), "c", "d", "e"].map((textPayload) => ({ textPayload }));
    assert.deepEqual(await outcomes(storeOf(entries), send), { delivered: 4, rejected: 1 });
    assert.deepEqual(
      logging.entries.map(({ textPayload }) => textPayload),
      ["a", "c", "d", "e"],
    );
  });

  const away: Send = async () => {
    throw new Error("the service is away");
  };

  it("removes rows that waited for seven days and cannot be sent either", async () => {
    assert.deepEqual(await outcomes(storeOf([{}, {}], NOW - 7 * DAY - 1), away), { expired: 2, failed: 1 });
  });

  it("sends rows of a server that was away for longer", async () => {
    assert.deepEqual(await outcomes(storeOf([{}, {}], NOW - 30 * DAY), async () => new Map()), { delivered: 2 });
  });

  it("keeps rows whose time is over by a clock that is doubted (DB-25)", async () => {
    const store = storeOf([{}, {}], NOW - 400 * DAY);
    assert.deepEqual(await outcomes(store, away, true), { failed: 1 });
    assert.equal(store.left(), 2);
  });
});
