// The flags of Node for servers: used by the launcher, the installed command and the benchmark.

/** For all programs: node:sqlite prints a warning that it is experimental. */
export const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

/**
 * For servers: MiB of each half of the young generation. V8 would let it grow to 64 while the server loads, and never shrink it; and it would begin with
 * one, which is collected time and again meanwhile.
 */
export const SERVER_FLAGS = ["--min-semi-space-size=16", "--max-semi-space-size=16"];
