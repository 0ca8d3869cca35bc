// `npm run bench -- loop`: how long the event loop is blocked by requests that take much work. The limit is 100 ms, on a quiet machine.
import { createHostileInstructions, hostileInstructions } from "../test/flows/hostile-instructions.ts";
import { hostilePackages } from "../test/flows/hostile-packages.ts";
import { createHostileApps, harmlessRequest, hostileRequests, longestBlock } from "../test/flows/hostile-requests.ts";
import { startServerProcess } from "../test/flows/server-process.ts";

const LIMIT_MS = 100;
const LENGTHS = [2_000_000, 20_000_000];

/** Measures and prints a line for each request, the longest blocks first, and sets the exit code when one is over the limit. */
export async function benchLoop(folder: string, only: string): Promise<void> {
  await using server = await startServerProcess(folder);
  const { address } = server;
  await createHostileApps(address);
  await createHostileInstructions(address, 1_000_000);
  // Code that runs for the first time is slower.
  for (const request of [...hostileRequests(2_000), harmlessRequest(1_000_000)]) await longestBlock(address, request);
  const over: string[] = [];
  for (const length of LENGTHS) {
    for (const request of [...hostileRequests(length), ...hostileInstructions(), ...hostilePackages(length)]) {
      if (!request.name.includes(only)) continue;
      const ms = await longestBlock(address, request);
      const line = `${ms.toFixed(0).padStart(6)} ms  ${(length / 1e6).toFixed(0).padStart(2)} MB  ${request.name}`;
      process.stdout.write(`${line}\n`);
      if (ms > LIMIT_MS) over.push(line);
    }
  }
  process.stdout.write(`\nover ${LIMIT_MS} ms: ${over.length}\n${over.toSorted().reverse().join("\n")}\n`);
  if (over.length > 0) process.exitCode = 1;
}
