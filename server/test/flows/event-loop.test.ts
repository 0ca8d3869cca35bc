import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHostileInstructions, hostileInstructions } from "./hostile-instructions.ts";
import { hostilePackages } from "./hostile-packages.ts";
import { createHostileApps, harmlessRequest, hostileRequests, longestBlock } from "./hostile-requests.ts";
import { startServerProcess } from "./server-process.ts";

/** Characters of each text: each of these requests blocked the loop for seconds before its work was limited. */
const LENGTH = 1_000_000;
/** The same of a package's files; each import takes seconds of other processes' work. */
const PACKAGE_LENGTH = 300_000;
/** How much longer than a harmless request of the same length a hostile one may block, and how much any may on a busy machine. */
const [FACTOR, ALLOWANCE_MS] = [4, 400];

let dataDir: string;
let server: Awaited<ReturnType<typeof startServerProcess>>;
let harmlessMs = 0;

/** A process of its own: the texts are made in this one. */
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "frontdesk-loop-"));
  server = await startServerProcess(dataDir);
  const { address } = server;
  await createHostileApps(address);
  await createHostileInstructions(address, LENGTH);
  for (const request of [...hostileRequests(1_000), ...hostilePackages(1_000)]) await longestBlock(address, request);
  for (let time = 0; time < 5; time++) {
    harmlessMs = Math.max(harmlessMs, await longestBlock(address, harmlessRequest(LENGTH)));
  }
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

describe("the event loop, while a request takes much work", () => {
  for (const request of [...hostileRequests(LENGTH), ...hostileInstructions(), ...hostilePackages(PACKAGE_LENGTH)]) {
    it(`serves other calls meanwhile: ${request.name}`, async () => {
      const limit = FACTOR * harmlessMs + ALLOWANCE_MS;
      let ms = await longestBlock(server.address, request);
      // The machine may have been busy with something else; a fault shows every time.
      for (let time = 0; ms > limit && time < 2; time++) ms = await longestBlock(server.address, request);
      assert.ok(
        ms <= limit,
        `blocked for ${ms.toFixed(0)} ms; a harmless text of this length takes ${harmlessMs.toFixed(0)} ms`,
      );
    });
  }
});
