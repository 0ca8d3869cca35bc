// `npm run soak [-- --minutes 60] [--sessions 32] [--publish]`: one server over PostgreSQL under four fifths of the load that it can take. Prints memory, tables and vacuum
// as they go, and in the end what of them did not hold.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres, withoutPostgres } from "#testing";
import { createBenchApps, PLAIN_APP, PYTHON_APP } from "./bench-apps.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { watchLoad } from "./machine-load.ts";
import {
  databaseVariables,
  type Running,
  runLoad,
  startFrontdesk,
  startScript,
  writeModelConfig,
} from "./processes.ts";
import { keepFigures } from "./scale-page.ts";
import { type SoakSample, takeSample } from "./soak-samples.ts";
import { type Verdict, verdictsOf } from "./soak-verdict.ts";
import { say } from "./turns.ts";

/** Of what the server takes when clients ask as fast as it answers. */
const LOAD = 0.8;
/** Samples of a run: more than thirty are no line that somebody reads. */
const SAMPLES = 30;
/** Turns that an hour at this load may lack of those that were due. */
const LATE = 0.03;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    /** At once. */
    sessions: { type: "string", default: "32" },
    publish: { type: "boolean", default: false },
  },
});

const missing = withoutPostgres();
if (missing === undefined) await soak(Number(values.minutes), Number(values.sessions));
else say(missing);

async function soak(minutes: number, sessions: number): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-soak-"));
  resources.defer(() => rmSync(folder, { recursive: true, force: true }));
  const settings = ["shared_buffers=256MB", "max_wal_size=4GB", "autovacuum=on"];
  const postgres = await startPostgres({ fsync: true, settings });
  resources.defer(() => postgres.stop());
  await using model = await startScript("fake-model-server.ts");
  const variables = databaseVariables(postgres.url);
  const configFile = writeModelConfig(folder, model);
  await using server = await startFrontdesk(join(folder, "data"), configFile, { variables });
  await createBenchApps(server.port);
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  resources.defer(() => database.end());

  const load = watchLoad();
  const orders = await calibrated(server, sessions, minutes);
  const loads = Promise.all(orders.map((order) => runLoad({ ...order, seconds: 60 * minutes })));
  const samples = await sampled(server, database, minutes, loads);
  const results = await loads;
  const turnsPerMinute = sum(orders, ({ perSecond = 0 }) => 60 * perSecond);
  const verdicts = [...verdictsOf(samples, turnsPerMinute), loadVerdict(orders, results)];
  say("");
  for (const { what, figure, holds } of verdicts) say(`${holds ? "holds " : "FAILS "}  ${what}: ${figure}`);
  if (values.publish) keepFigures("soak", verdicts, load);
  process.exitCode = verdicts.every(({ holds }) => holds) ? 0 : 1;
}

/** Turns of two kinds at the same time, each at four fifths of the pace that it has when both are asked as fast as they are answered. */
async function calibrated(server: Running, sessions: number, minutes: number): Promise<readonly LoadOrder[]> {
  const orders: LoadOrder[] = [PLAIN_APP, PYTHON_APP].map((app) => ({
    ...{ app, port: server.port, method: "runSession", sessions: Math.max(1, sessions >> 1), turnsPerSession: 5 },
    seconds: Math.min(30, Math.max(3, 6 * minutes)),
  }));
  const fastest = await Promise.all(orders.map(runLoad));
  const paces = fastest.map(({ perSecond }) => LOAD * perSecond);
  say(
    `at most ${fastest.map(({ perSecond }) => perSecond.toFixed(0)).join(" plain and ")} turns a second with a Python tool; the load is ${paces.map((pace) => pace.toFixed(0)).join(" and ")}`,
  );
  return orders.map((order, at) => ({ ...order, perSecond: paces[at] ?? 1 }));
}

async function sampled(
  server: Running,
  database: pg.Client,
  minutes: number,
  loads: Promise<unknown>,
): Promise<readonly SoakSample[]> {
  const began = performance.now();
  const everyMs = (60_000 * minutes) / SAMPLES;
  const samples: SoakSample[] = [];
  let ended = false;
  void loads.finally(() => {
    ended = true;
  });
  say("  minute  server MB  guests MB  conversations     turns    MB of tables  dead rows");
  for (let at = 1; at <= SAMPLES && !ended; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, began + at * everyMs - performance.now()));
    const sample = await takeSample((performance.now() - began) / 60_000, server, database);
    samples.push(sample);
    say(lineOf(sample));
  }
  return samples;
}

function lineOf({ minute, serverMb, guestsMb, tables }: SoakSample): string {
  const all = Object.values(tables);
  return [
    minute.toFixed(1).padStart(8),
    serverMb.toFixed(0).padStart(9),
    guestsMb.toFixed(0).padStart(9),
    String(tables.conversations?.liveRows ?? 0).padStart(13),
    String(tables.turns?.liveRows ?? 0).padStart(8),
    (sum(all, ({ bytes }) => bytes) / 2 ** 20).toFixed(0).padStart(14),
    String(sum(all, ({ deadRows }) => deadRows)).padStart(9),
  ].join("  ");
}

function loadVerdict(orders: readonly LoadOrder[], results: readonly LoadResult[]): Verdict {
  const due = sum(orders, ({ perSecond = 0 }) => perSecond);
  const answered = sum(results, ({ perSecond }) => perSecond);
  const refused = sum(results, (result) => result.refused);
  const failures = sum(results, (result) => result.failures) - refused;
  const p99 = results.map((result) => `${result.p99.toFixed(0)} ms`).join(" and ");
  return {
    what: "turns a second, of those that were due",
    figure: `${answered.toFixed(0)} of ${due.toFixed(0)}, 99 % within ${p99}; ${sum(results, ({ turns }) => turns)} turns, ${failures} failed, ${refused} refused early`,
    holds: failures === 0 && answered >= (1 - LATE) * due,
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
