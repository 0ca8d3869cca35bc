// The flags of Node for servers: used by the launcher, the installed command and the benchmark.

import { totalmem } from "node:os";

/** For all programs: node:sqlite prints a warning that it is experimental. */
export const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

/** Bytes that this process may use: the machine's, or the container's. */
function memory() {
  // Node 18 has none.
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), limit);
}

/**
 * MiB of each half of the young generation. With 64 a turn takes a sixth less processor than with 16, because less is copied before it is garbage, and an idle server
 * takes 70 MB more, which a small container does not have.
 */
const YOUNG_MIB = memory() >= 2 ** 31 ? 64 : 16;

/**
 * For servers. The size is fixed: V8 would begin with one MiB, which is collected time and again while the server loads, and never shrinks what grew. It is collected
 * when it is full and not when it is nearly full, which it is at the end of a start: the first request waited a tenth of a second for that.
 */
export const SERVER_FLAGS = [
  `--min-semi-space-size=${YOUNG_MIB}`,
  `--max-semi-space-size=${YOUNG_MIB}`,
  "--no-minor-gc-task",
];
