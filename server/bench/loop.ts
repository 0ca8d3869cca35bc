// `npm run bench -- loop [--only <part of a name>]`: how long the main thread works for one request before it serves what else waits. The limit is 100 ms.
import { hostileApps } from "../test/flows/hostile-apps.ts";
import { createHostileInstructions, hostileInstructions } from "../test/flows/hostile-instructions.ts";
import { hostilePackages } from "../test/flows/hostile-packages.ts";
import { createHostileApps, harmlessRequest, hostileRequests, longestBlock } from "../test/flows/hostile-requests.ts";
import { startProbedServer } from "../test/flows/server-process.ts";

const LIMIT_MS = 100;
const LENGTHS = [2_000_000, 20_000_000];
/** Agents, and as many of each other kind: an import has 10,000 files at most. */
const APP_SIZE = 1_900;

/** Measures and prints a line for each request, the longest blocks first, and sets the exit code when one is over the limit. */
export async function benchLoop(folder: string, only: string): Promise<void> {
  await using server = await startProbedServer(folder);
  const { address } = server;
  await createHostileApps(address);
  await createHostileInstructions(address, 1_000_000);
  // Code that runs for the first time is slower.
  await longestBlock(server, [...hostileRequests(2_000), ...hostileApps(10, 2_000), harmlessRequest(1_000_000)]);
  const over: string[] = [];
  for (const length of LENGTHS) {
    const texts = [...hostileRequests(length), ...hostileInstructions(), ...hostilePackages(length)];
    for (const request of [...texts, ...hostileApps(APP_SIZE, length)]) {
      // What is done with a large app is done in order.
      if (!request.name.includes(only) && !request.group.includes(only)) continue;
      const ms = await longestBlock(server, [request]);
      const line = `${ms.toFixed(0).padStart(6)} ms  ${(length / 1e6).toFixed(0).padStart(2)} MB  ${request.name}`;
      process.stdout.write(`${line}\n`);
      if (ms > LIMIT_MS) over.push(line);
    }
  }
  process.stdout.write(`\nover ${LIMIT_MS} ms: ${over.length}\n${over.toSorted().reverse().join("\n")}\n`);
  if (over.length > 0) process.exitCode = 1;
}
