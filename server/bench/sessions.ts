// What a turn costs in a session of many turns, against one of a few, with callbacks that read the history.
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "undici";
import { createBenchApps, HISTORY_APP } from "./bench-apps.ts";
import { childProcessorMs, processorMs, type Running, startFrontdesk } from "./processes.ts";
import { say } from "./turns.ts";

/** Turns of a short session; the first ones are not counted: they make the session and its snapshot. */
const [SHORT_TURNS, SHORT_SKIPPED] = [10, 5];
/** Turns of each kind in a round. Rounds alternate, so that a busy machine is fair to both. */
const [ROUND_TURNS, ROUNDS] = [50, 20];

/**
 * One session of `turns` turns, and beside it sessions of ten: milliseconds a turn, and of processor. The app's callbacks read the history and
 * answer in the model's place, because a model gets the whole conversation with every call.
 */
export async function benchSessions(folder: string, turns: number): Promise<void> {
  const configFile = join(folder, "sessions.yaml");
  writeFileSync(configFile, "{}");
  await using server = await startFrontdesk(join(folder, "sessions"), configFile);
  await createBenchApps(server.port);
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 1 });
  const long = randomUUID();
  say("   turns   ms a turn  of ten  CPU ms  of ten  guest ms");
  let held = 0;
  for (const checkpoint of [100, 1_000, 10_000, 100_000].filter((count) => count < turns).concat(turns)) {
    for (; held < checkpoint; held++) await takeTurn(pool, long, held);
    const totals = { long: newTotal(), short: newTotal() };
    for (let round = 0; round < ROUNDS; round++) {
      await measure(totals.long, server, async () => {
        for (let turn = 0; turn < ROUND_TURNS; turn++) await takeTurn(pool, long, held++);
        return ROUND_TURNS;
      });
      for (let done = 0; done < ROUND_TURNS; done += SHORT_TURNS - SHORT_SKIPPED)
        await shortSession(pool, totals.short, server);
    }
    report(checkpoint, totals.long, totals.short);
  }
  await pool.close();
}

interface Total {
  turns: number;
  ms: number;
  cpuMs: number;
  guestMs: number;
}

const newTotal = (): Total => ({ turns: 0, ms: 0, cpuMs: 0, guestMs: 0 });

async function shortSession(pool: Pool, total: Total, server: Running): Promise<void> {
  const session = randomUUID();
  for (let turn = 0; turn < SHORT_SKIPPED; turn++) await takeTurn(pool, session, turn);
  await measure(total, server, async () => {
    for (let turn = SHORT_SKIPPED; turn < SHORT_TURNS; turn++) await takeTurn(pool, session, turn);
    return SHORT_TURNS - SHORT_SKIPPED;
  });
}

async function measure(total: Total, server: Running, take: () => Promise<number>): Promise<void> {
  const before = { ms: performance.now(), cpu: processorMs(server), guest: childProcessorMs(server) };
  total.turns += await take();
  total.ms += performance.now() - before.ms;
  total.cpuMs += processorMs(server) - before.cpu;
  total.guestMs += childProcessorMs(server) - before.guest;
}

async function takeTurn(pool: Pool, session: string, turn: number): Promise<void> {
  const name = `${HISTORY_APP}/sessions/${session}`;
  const { statusCode, body } = await pool.request({
    path: `/v1beta/${name}:runSession`,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ config: { session: name }, inputs: [{ text: `What of my order number ${turn}?` }] }),
  });
  const answer = await body.text();
  if (statusCode !== 200 || !answer.includes("You said")) throw new Error(`turn ${turn}: ${statusCode} ${answer}`);
}

function report(turns: number, long: Total, short: Total): void {
  const each = ({ ms, cpuMs, guestMs, turns: count }: Total) => [
    ms / count,
    (cpuMs + guestMs) / count,
    guestMs / count,
  ];
  const [ms = 0, cpuMs = 0, guestMs = 0] = each(long);
  const [shortMs = 0, shortCpuMs = 0] = each(short);
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`.padStart(6);
  const cells = [String(turns).padStart(8), ms.toFixed(2).padStart(10), percent(ms / shortMs)];
  say([...cells, cpuMs.toFixed(2).padStart(6), percent(cpuMs / shortCpuMs), guestMs.toFixed(2).padStart(8)].join("  "));
}
