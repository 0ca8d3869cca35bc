// `npm run bench -- bidi [count]`: the cost of idle live sessions, and of a turn in one of them.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NODE_FLAGS } from "../bin/node-flags.mjs";
import { createBenchApps, TRANSFER_APP } from "./bench-apps.ts";
import type { BidiOrder, BidiReport } from "./bidi-clients.ts";
import { type Running, residentMegabytes, startFrontdesk, startScript } from "./processes.ts";

/** What 10,000 idle conversations may hold in memory, megabytes, the server included. */
const TARGET_MB = 600;

/** Opens conversations over WebSocket, then over gRPC, each on a server of its own, and prints one table. */
export async function benchBidi(conversations: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-bench-bidi-"));
  try {
    await using model = await startScript("fake-model-server.ts");
    const configFile = join(folder, "config.yaml");
    const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${model.port}/v1beta` };
    writeFileSync(configFile, JSON.stringify({ models: { providers: { google } } }));
    say(`${conversations} open conversations; target for 10,000: ${TARGET_MB} MB`);
    say("wire        step            resident MB  kB each   per second   p50 ms   p99 ms");
    for (const wire of ["websocket", "grpc"] as const) await measure(wire, conversations, folder, configFile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  wire: BidiOrder["wire"],
  conversations: number,
  folder: string,
  configFile: string,
): Promise<void> {
  await using server = await startFrontdesk(join(folder, "data"), configFile);
  if (wire === "websocket") await createBenchApps(server.port);
  const before = residentMegabytes(server);
  say(`${wire.padEnd(10)}  none open       ${before.toFixed(0).padStart(11)}`);
  const order: BidiOrder = { port: server.port, app: TRANSFER_APP, wire, conversations, atOnce: 32 };
  await using clients = startClients(order);
  for (const step of ["open", "turn"] as const) {
    const report = await clients.step(step);
    await settled(server);
    row(wire, step, report, residentMegabytes(server), before);
  }
}

function row(wire: string, step: string, report: BidiReport, resident: number, before: number): void {
  const { done, failures, seconds, p50, p99 } = report;
  const each = ((resident - before) * 1024) / Math.max(done, 1);
  const columns = [
    wire.padEnd(10),
    (step === "open" ? "open, config" : "after a turn").padEnd(14),
    resident.toFixed(0).padStart(11),
    each.toFixed(1).padStart(7),
    (done / seconds).toFixed(0).padStart(11),
    p50.toFixed(1).padStart(7),
    p99.toFixed(1).padStart(7),
  ];
  say(`${columns.join("  ")}${failures > 0 ? `  ${failures} FAILED` : ""}`);
}

/** Memory is read when it no longer falls: garbage of the opening does not belong to an idle session. */
async function settled(server: Running): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const now = residentMegabytes(server);
    if (now > before - 1) return;
    before = now;
  }
}

interface Clients extends AsyncDisposable {
  step(word: "open" | "turn"): Promise<BidiReport>;
}

function startClients(order: BidiOrder): Clients {
  const script = join(import.meta.dirname, "bidi-clients.ts");
  const child: ChildProcess = spawn(process.execPath, [...NODE_FLAGS, script, JSON.stringify(order)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (!child.stdin || !child.stdout) throw new Error("the clients were started without pipes");
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.once("exit", resolve));
  return {
    async step(word) {
      stdin.write(`${word}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the clients ended before they reported");
      return JSON.parse(value) as BidiReport;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
