import { loadavg } from "node:os";

/** How much else wanted the processors while something was measured. */
export interface MachineLoad {
  /** The least and the greatest load of a minute so far, the processes of the bench among it: `load 2 to 9`. */
  text(): string;
}

const EVERY_MS = 10_000;

/** Watches from now until the process ends. */
export function watchLoad(read: () => number = () => loadavg()[0] ?? 0): MachineLoad {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  const look = () => {
    const load = read();
    [least, most] = [Math.min(least, load), Math.max(most, load)];
  };
  look();
  setInterval(look, EVERY_MS).unref();
  return {
    text: () => {
      look();
      return `load ${least.toFixed(0)} to ${most.toFixed(0)}`;
    },
  };
}
