// `npm run bench [-- --quick]`: what the engine costs beside the model, as ratios against the floor in one run on this machine.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchApps, PYTHON_APP, TRANSFER_APP } from "./bench-apps.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import { residentMegabytes, runLoad, startFrontdesk, startScript } from "./processes.ts";

const quick = process.argv.includes("--quick");
const SECONDS = quick ? 3 : 8;
const CONCURRENCY = quick ? [16] : [1, 16, 128];

const folder = mkdtempSync(join(tmpdir(), "frontdesk-bench-"));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
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
  say("sessions  kind           turns/s   of floor     p50 ms    p99 ms  first byte ms");
  for (const sessions of CONCURRENCY) await compare(sessions, floor.port, ours.port);
  if (!quick) await memoryWithSessions(ours);
}

async function compare(sessions: number, floorPort: number, port: number): Promise<void> {
  const order: LoadOrder = {
    port,
    app: TRANSFER_APP,
    method: "runSession",
    sessions,
    seconds: SECONDS,
    turnsPerSession: 5,
  };
  const floor = await runLoad({ ...order, port: floorPort });
  const row = (kind: string, result: LoadResult) => {
    const ratio = `${((100 * result.perSecond) / floor.perSecond).toFixed(0)} %`;
    const failures = result.failures > 0 ? `  ${result.failures} FAILED` : "";
    say(
      `${String(sessions).padStart(8)}  ${kind.padEnd(12)}  ${result.perSecond.toFixed(0).padStart(8)}  ${ratio.padStart(9)}  ${result.p50.toFixed(2).padStart(9)} ${result.p99.toFixed(2).padStart(9)}  ${result.firstByteP50.toFixed(2).padStart(13)}${failures}`,
    );
  };
  row("floor", floor);
  row("unary", await runLoad(order));
  row("streaming", await runLoad({ ...order, method: "streamRunSession" }));
  row("python tool", await runLoad({ ...order, app: PYTHON_APP }));
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
