/** What the rewriter names the globals of a module that its functions set: this and their index (image/track-writes.ts). */
export const STATE_PREFIX = "state ";

/** Returns what sets an instance's own mutable globals to the values that they have now. */
export function createGlobalRestore({ exports }: WebAssembly.Instance): () => void {
  const globals = Object.entries(exports)
    .filter(([name]) => name.startsWith(STATE_PREFIX))
    .map(([, value]) => value as WebAssembly.Global<"i32">);
  const values = globals.map(({ value }) => value);
  return () => {
    for (const [index, global] of globals.entries()) global.value = values[index] ?? 0;
  };
}
