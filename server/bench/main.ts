// `npm run bench [-- --quick]` (`-- bidi` for open conversations, `-- python` for user code alone): what the engine costs beside the model, as ratios against the floor in one run on this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchApps, PYTHON_APP, TRANSFER_APP } from "./bench-apps.ts";
import { benchBidi } from "./bidi.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { residentMegabytes, runLoad, startFrontdesk, startScript } from "./processes.ts";
import { benchPython } from "./python.ts";

const quick = process.argv.includes("--quick");
const SECONDS = quick ? 3 : 8;
const CONCURRENCY = quick ? [16] : [1, 16, 128];

const folder = mkdtempSync(join(tmpdir(), "frontdesk-bench-"));
try {
  if (process.argv[2] === "bidi") await benchBidi(Number(process.argv[3] ?? 10_000));
  else if (process.argv[2] === "python") await benchPython(join(folder, "python"));
  else await benchTurns();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function benchTurns(): Promise<void> {
  await using model = await startScript("fake-model-server.ts");
  await using floor = await startScript("floor-server.ts", String(model.port), join(folder, "floor.db"));
  const configFile = join(folder, "config.yaml");
  writeFileSync(
    configFile,
    JSON.stringify({
      models: {
        providers: { google: { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` } },
      },
    }),
  );
  {
    // The first start builds the Python image and fills the compile cache; the second is what people wait for.
    await using first = await startFrontdesk(join(folder, "data"), configFile);
    await createBenchApps(first.port);
    const python = {
      port: first.port,
      app: PYTHON_APP,
      method: "runSession",
      sessions: 1,
      seconds: 1,
      turnsPerSession: 5,
    } as const;
    await runLoad(python);
  }
  await using ours = await startFrontdesk(join(folder, "data"), configFile);
  say(`start-up       ${ours.startMs.toFixed(0)} ms to /readyz (second start)`);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  say(`memory idle    ${residentMegabytes(ours).toFixed(0)} MB resident`);
  say("");
  say("sessions  kind           turns/s   of floor     p50 ms     p99 ms  first byte ms  model calls");
  for (const sessions of CONCURRENCY) await compare(sessions, model.port, floor.port, ours.port);
  if (!quick) await memoryWithSessions(ours);
}

async function compare(sessions: number, modelPort: number, floorPort: number, port: number): Promise<void> {
  const order: LoadOrder = {
    port,
    app: TRANSFER_APP,
    method: "runSession",
    sessions,
    seconds: SECONDS,
    turnsPerSession: 5,
  };
  const floor = await measure(modelPort, { ...order, port: floorPort });
  const show = (kind: string, measured: Measured) => say(rowOf(sessions, kind, measured, floor.perSecond));
  show("floor", floor);
  show("unary", await measure(modelPort, order));
  show("streaming", await measure(modelPort, { ...order, method: "streamRunSession" }));
  show("python tool", await measure(modelPort, { ...order, app: PYTHON_APP }));
}

interface Measured extends LoadResult {
  /** Calls that the fake model counted for one turn: the same for the floor and for us, or the ratio means nothing. */
  readonly modelCallsPerTurn: number;
}

async function measure(modelPort: number, order: LoadOrder): Promise<Measured> {
  const before = await modelCalls(modelPort);
  const result = await runLoad(order);
  return { ...result, modelCallsPerTurn: ((await modelCalls(modelPort)) - before) / result.allTurns };
}

async function modelCalls(modelPort: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${modelPort}/calls`)).text());
}

function rowOf(sessions: number, kind: string, measured: Measured, floorPerSecond: number): string {
  const cells = [
    String(sessions).padStart(8),
    kind.padEnd(12),
    measured.perSecond.toFixed(0).padStart(8),
    `${((100 * measured.perSecond) / floorPerSecond).toFixed(0)} %`.padStart(9),
    measured.p50.toFixed(2).padStart(9),
    measured.p99.toFixed(2).padStart(9),
    measured.firstByteP50.toFixed(2).padStart(13),
    measured.modelCallsPerTurn.toFixed(2).padStart(11),
  ];
  return cells.join("  ") + (measured.failures > 0 ? `  ${measured.failures} FAILED` : "");
}

/** Resident memory after ten thousand sessions of one turn each. */
async function memoryWithSessions(ours: Parameters<typeof residentMegabytes>[0]): Promise<void> {
  let turns = 0;
  while (turns < 10_000) {
    const { turns: done } = await runLoad({
      port: ours.port,
      app: TRANSFER_APP,
      method: "runSession",
      sessions: 64,
      seconds: 4,
      turnsPerSession: 1,
    });
    turns += done;
  }
  say("");
  say(`memory         ${residentMegabytes(ours).toFixed(0)} MB resident after more than ${turns} sessions`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
