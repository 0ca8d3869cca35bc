// What Node is started with, wherever a server of this product is: by the launcher, by the installed command, by the benchmark.

/** For every program: node:sqlite still warns that it is experimental. */
export const NODE_FLAGS = ["--disable-warning=ExperimentalWarning"];

/** For the server besides: MiB of each half of the young heap. V8 would let it grow to 64 while the server loads, and keep that ever after. */
export const SERVER_FLAGS = ["--max-semi-space-size=16"];
