import { readFileSync } from "node:fs";

/** Linux gives times in hundredths of a second, whatever its own clock is. */
const TICK_MS = 10;

/** Places of the times of a process in its `stat` file, counted from behind its name: in user code, and in the kernel. */
const USER = 11;
const SYSTEM = 12;

/** Processor time of a process and of those that it started (bubblewrap starts the guest), milliseconds; undefined where the system has no `/proc`, and of a process that is gone. */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean);
    const own = (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS;
    return children.reduce((sum, child) => sum + (processorTime(Number(child)) ?? 0), own);
  } catch {
    return undefined;
  }
}
