// Loaded into a server before it starts: measures how long its main thread works before it serves what else waits. The measure is
// processor time, so that other processes of the machine do not count.

import { isMainThread } from "node:worker_threads";

/** Milliseconds between two looks at the clock, which are part of the measure. */
const INTERVAL_MS = 5;

let seen = usedMs();
let longest = 0;

// A preloaded module is loaded into threads, too.
if (isMainThread) setInterval(look, INTERVAL_MS).unref();

// Any message asks for the longest block since the last one; work that goes on when it arrives is over when it is read.
process.on("message", () => {
  look();
  process.send?.(longest);
  longest = 0;
});

function look(): void {
  const now = usedMs();
  longest = Math.max(longest, now - seen);
  seen = now;
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
