import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHostileApps, type HostileRequest, harmlessRequest, longestBlock } from "./hostile-requests.ts";
import { type ProbedServer, startProbedServer } from "./server-process.ts";

/** What is pressed against a server, after it is created there. */
interface EventLoopLoad {
  /** Characters of the harmless text that blocks are compared with. */
  readonly length: number;
  /** The same requests with short texts: code that runs for the first time is slower. */
  readonly warmUp: readonly HostileRequest[];
  readonly requests: readonly HostileRequest[];
  prepare?(address: string): Promise<void>;
}

/** How much longer than a harmless request of the same length a hostile one may block, in times and milliseconds. */
const [FACTOR, ALLOWANCE_MS] = [4, 100];

/** A test for each group of the requests: none of them blocks the event loop of a server, which is a process of its own, because texts are made in this one. */
export function loadEventLoop({ length, warmUp, requests, prepare }: EventLoopLoad): void {
  let dataDir: string;
  let server: ProbedServer;
  let limitMs: number;

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "frontdesk-loop-"));
    server = await startProbedServer(dataDir);
    await createHostileApps(server.address);
    await prepare?.(server.address);
    await longestBlock(server, warmUp);
    const harmless = await longestBlock(server, Array<HostileRequest>(5).fill(harmlessRequest(length)));
    limitMs = FACTOR * harmless + ALLOWANCE_MS;
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  describe("the event loop, while a request takes much work", () => {
    for (const [group, members] of Map.groupBy(requests, (each) => each.group)) {
      it(`serves other calls meanwhile: ${group}`, async () => {
        const ms = await longestBlock(server, members);
        if (ms <= limitMs) return;
        // One of them took too long, or the machine did; a fault shows every time.
        const over = await slowest(server, members);
        assert.ok(over.ms <= limitMs, `blocked for ${over.ms.toFixed(0)} ms of ${limitMs.toFixed(0)}: ${over.name}`);
      });
    }
  });
}

/** Sends each twice, in order; the one whose shorter block is the longest. */
async function slowest(
  server: ProbedServer,
  requests: readonly HostileRequest[],
): Promise<{ readonly ms: number; readonly name: string }> {
  const times = requests.map(({ name }) => ({ name, ms: Number.POSITIVE_INFINITY }));
  for (const _ of [1, 2]) {
    for (const [at, request] of requests.entries()) {
      const time = times[at];
      if (time) time.ms = Math.min(time.ms, await longestBlock(server, [request]));
    }
  }
  return times.reduce((worst, each) => (each.ms > worst.ms ? each : worst), { name: "", ms: 0 });
}
