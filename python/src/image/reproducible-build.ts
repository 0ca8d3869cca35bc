import { createHash } from "node:crypto";

/** What the clock shows while the image is built: 2026-01-01, milliseconds since the epoch. */
const BUILD_TIME_MS = 1_767_225_600_000;

/**
 * Gives this process a clock that stands and random bytes that a seed determines, so that what it builds is the same on every
 * machine. Only for the process that builds an image for a package.
 */
export function makeReproducible(seed: string): void {
  let drawn = 0;
  const draw = <View extends ArrayBufferView>(view: View): View => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let at = 0; at < bytes.length; at += 32) {
      const block = createHash("sha256").update(`${seed} ${drawn++}`).digest();
      bytes.set(block.subarray(0, Math.min(32, bytes.length - at)), at);
    }
    return view;
  };
  Object.defineProperty(globalThis, "crypto", { value: { getRandomValues: draw } });
  Math.random = () => new DataView(draw(new Uint8Array(4)).buffer).getUint32(0) / 2 ** 32;
  Date.now = () => BUILD_TIME_MS;
  const Moment = Date;
  globalThis.Date = new Proxy(Moment, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [BUILD_TIME_MS] : args),
  });
  performance.now = () => 0;
  process.hrtime.bigint = () => 0n;
}
