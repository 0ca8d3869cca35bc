import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { hostileApps } from "./hostile-apps.ts";
import { hostileEvaluations } from "./hostile-evaluations.ts";
import { createHostileInstructions, hostileInstructions } from "./hostile-instructions.ts";
import { hostilePackages } from "./hostile-packages.ts";
import {
  createHostileApps,
  type HostileRequest,
  harmlessRequest,
  hostileRequests,
  longestBlock,
} from "./hostile-requests.ts";
import { type ProbedServer, startProbedServer } from "./server-process.ts";

/** Characters of each text: each of these requests blocked the loop for seconds before its work was limited. */
const LENGTH = 1_000_000;
/** The same of a package's files; each import takes seconds of other processes' work. */
const PACKAGE_LENGTH = 300_000;
/** Agents, tools and the like of an app. */
const APP_SIZE = 300;
/** How much longer than a harmless request of the same length a hostile one may block, in times and milliseconds. */
const [FACTOR, ALLOWANCE_MS] = [4, 100];

let dataDir: string;
let server: ProbedServer;
let limitMs: number;

/** A process of its own: the texts are made in this one. */
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "frontdesk-loop-"));
  server = await startProbedServer(dataDir);
  const { address } = server;
  await createHostileApps(address);
  await createHostileInstructions(address, LENGTH);
  // Code that runs for the first time is slower.
  await longestBlock(server, [
    ...hostileRequests(1_000),
    ...hostilePackages(1_000),
    ...hostileEvaluations(1_000),
    ...hostileApps(10, 1_000),
  ]);
  const harmless = await longestBlock(server, Array<HostileRequest>(5).fill(harmlessRequest(LENGTH)));
  limitMs = FACTOR * harmless + ALLOWANCE_MS;
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe("the event loop, while a request takes much work", () => {
  const requests = [
    ...hostileRequests(LENGTH),
    ...hostileInstructions(),
    ...hostilePackages(PACKAGE_LENGTH),
    ...hostileEvaluations(LENGTH),
    ...hostileApps(APP_SIZE, PACKAGE_LENGTH),
  ];
  for (const [group, members] of Map.groupBy(requests, (each) => each.group)) {
    it(`serves other calls meanwhile: ${group}`, async () => {
      const ms = await longestBlock(server, members);
      if (ms <= limitMs) return;
      // One of them took too long, or the machine did; a fault shows every time.
      const over = await slowest(members);
      assert.ok(over.ms <= limitMs, `blocked for ${over.ms.toFixed(0)} ms of ${limitMs.toFixed(0)}: ${over.name}`);
    });
  }
});

/** Sends each twice, in order; the one whose shorter block is the longest. */
async function slowest(requests: readonly HostileRequest[]): Promise<{ readonly ms: number; readonly name: string }> {
  const times = requests.map(({ name }) => ({ name, ms: Number.POSITIVE_INFINITY }));
  for (const _ of [1, 2]) {
    for (const [at, request] of requests.entries()) {
      const time = times[at];
      if (time) time.ms = Math.min(time.ms, await longestBlock(server, [request]));
    }
  }
  return times.reduce((worst, each) => (each.ms > worst.ms ? each : worst), { name: "", ms: 0 });
}
