// `npm run bench -- peers`: the same turn in other frameworks for agents. Each is installed into a temporary folder of its own when it is not there yet, and served by a
// script of peers/ with the same JSON in and out; the floor is measured before and after each, so that both met the same machine.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchApps, PYTHON_APP } from "./bench-apps.ts";
import type { LoadOrder } from "./load.ts";
import { figures, type MeasuredServer, OURS, publish } from "./peers-page.ts";
import {
  childProcessorMs,
  processorMs,
  type Running,
  residentMegabytes,
  runLoad,
  startFrontdesk,
  startScript,
} from "./processes.ts";
import { say } from "./turns.ts";

interface Peer {
  readonly name: string;
  /** A file of peers/. */
  readonly script: string;
  /** With their versions. */
  readonly packages: readonly string[];
}

const ZOD = "zod@4.6.7";
const AI_GOOGLE = "@ai-sdk/google@3.0.141";

const PEERS: readonly Peer[] = [
  { name: "ADK", script: "adk.mjs", packages: ["@google/adk@2.0.0", ZOD] },
  {
    name: "LangGraph",
    script: "langgraph.mjs",
    packages: ["@langchain/langgraph@1.7.3", "@langchain/google-genai@2.3.2", "@langchain/core@1.4.0", ZOD],
  },
  { name: "Mastra", script: "mastra.mjs", packages: ["@mastra/core@1.71.0", AI_GOOGLE, ZOD] },
  { name: "AI SDK", script: "ai-sdk.mjs", packages: ["ai@6.0.326", AI_GOOGLE, ZOD] },
];

/** The app whose turns the floor answers with two calls of the model, as a turn with a tool takes. */
const FLOOR_APP = "projects/bench/locations/us/apps/floor-2";

const ROUNDS = 3;
const LOAD = { method: "runSession", sessions: 16, turnsPerSession: 5 } as const;

interface Measured {
  readonly perSecond: number;
  /** Milliseconds of processor for a turn, of the server and what it started. */
  readonly processorMs: number;
}

interface Compared {
  readonly speed: number;
  readonly processor: number;
}

/** How the peers are measured. */
interface PeerBench {
  /** Of each measurement. */
  readonly seconds: number;
  /** Whether docs/benchmarks.md gets the figures. */
  readonly publishes: boolean;
}

/** Prints turns a second and processor time as ratios to the floor, as docs/benchmarks.md has them. */
export async function benchPeers(folder: string, { seconds, publishes }: PeerBench): Promise<void> {
  const servers = await measurePeers(folder, seconds);
  const machine = `Node ${process.versions.node}, ${platform()} ${arch()}, ${cpus().length} processors`;
  const results = { date: new Date().toISOString().slice(0, 10), machine, seconds, servers };
  say(`\n${figures(results)}`);
  if (publishes) publish(results);
}

/** Says each as soon as it is measured: all of them take minutes. */
async function measurePeers(folder: string, seconds: number): Promise<readonly MeasuredServer[]> {
  await using model = await startScript("fake-model-server.ts");
  await using floor = await startScript("floor-server.ts", String(model.port), join(folder, "floor.db"));
  const servers: MeasuredServer[] = [];
  const measureIn = (server: Running, app: string) => compare({ server, app, floor }, seconds);
  {
    await using ours = await startOurs(folder, model.port);
    servers.push(report(OURS, [], ours, await measureIn(ours, PYTHON_APP)));
  }
  for (const peer of PEERS) {
    await using running = await startPeer(peer, model.port);
    const rounds = await measureIn(running, "projects/bench/locations/us/apps/peer");
    servers.push(report(peer.name, peer.packages, running, rounds));
  }
  return servers;
}

async function startOurs(folder: string, modelPort: number): Promise<Running> {
  const configFile = join(folder, "config.json");
  const google = { type: "gemini", apiKey: "bench", baseUrl: `http://127.0.0.1:${modelPort}/v1beta` };
  writeFileSync(configFile, JSON.stringify({ models: { providers: { google } } }));
  const ours = await startFrontdesk(join(folder, "data"), configFile);
  await createBenchApps(ours.port);
  return ours;
}

async function startPeer({ script, packages }: Peer, modelPort: number): Promise<Running> {
  const place = join(tmpdir(), "frontdesk-peers", packages.join("_").replaceAll("/", "-"));
  if (!existsSync(join(place, "node_modules"))) install(place, packages);
  for (const file of ["serve.mjs", script]) cpSync(join(import.meta.dirname, "peers", file), join(place, file));
  const child = spawn(process.execPath, [join(place, script), String(modelPort)], {
    cwd: place,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const port = await new Promise<number>((settle, reject) => {
    child.stdout.once("data", (text: Buffer) => settle(Number(text)));
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
  return {
    ...{ child, port },
    async [Symbol.asyncDispose]() {
      child.kill();
    },
  };
}

function install(place: string, packages: readonly string[]): void {
  mkdirSync(place, { recursive: true });
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", place];
  const { status, stderr } = spawnSync("npm", ["install", ...flags, ...packages], { cwd: place, encoding: "utf8" });
  if (status !== 0) throw new Error(`${packages.join(" ")} could not be installed: ${stderr}`);
}

interface Pair {
  readonly server: Running;
  readonly app: string;
  readonly floor: Running;
}

/** Rounds of floor, server, floor, after one of the server that is not counted. */
async function compare({ server, app, floor }: Pair, seconds: number): Promise<readonly Compared[]> {
  await measure(server, { ...LOAD, seconds, app, port: server.port });
  const least = () => measure(floor, { ...LOAD, seconds, app: FLOOR_APP, port: floor.port });
  const rounds: Compared[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await least();
    const measured = await measure(server, { ...LOAD, seconds, app, port: server.port });
    const after = await least();
    rounds.push({
      speed: measured.perSecond / ((before.perSecond + after.perSecond) / 2),
      processor: measured.processorMs / ((before.processorMs + after.processorMs) / 2),
    });
  }
  return rounds;
}

async function measure(server: Running, order: LoadOrder): Promise<Measured> {
  const used = () => processorMs(server) + childProcessorMs(server);
  const before = used();
  const { allTurns, perSecond, failures } = await runLoad(order);
  if (failures > 0) throw new Error(`${failures} turns failed`);
  return { perSecond, processorMs: (used() - before) / allTurns };
}

function report(
  name: string,
  packages: readonly string[],
  server: Running,
  rounds: readonly Compared[],
): MeasuredServer {
  const [speed, processor] = [rounds.map(({ speed }) => speed), rounds.map(({ processor }) => processor)];
  const shown = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(" ");
  say(`${name.padEnd(12)}turns/s of the floor's ${shown(speed)}, processor time of the floor's ${shown(processor)}`);
  return { name, packages, speed, processor, residentMegabytes: Math.round(residentMegabytes(server)) };
}
