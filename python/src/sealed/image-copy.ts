import type { ImageMetadata } from "./image-metadata.ts";
import { BLOCK_BITS, type LinearMemory } from "./linear-memory.ts";

const BLOCK_BYTES = 1 << BLOCK_BITS;

/** Where a block's content is in the image file when it is not there: the block is zero. */
const ZERO = -1;

/** Bytes behind a block that a store into it may write: the largest store writes eight, and marks the block of its first byte. */
export const STORE_REACH = 7;

/** Ways of putting a memory to an image. */
interface ImageCopy {
  /** Into a new memory, which is zero: what the image leaves zero is not touched and takes no memory of the machine. */
  first(): void;
  /** Every byte up to the last that was ever written, whatever was written since. */
  everything(): void;
  /** The blocks that were written since the last time: a hundredth of the work. */
  written(): void;
}

/** Prepares the copying of an image, of which the file holds only the blocks that are not zero, over a memory. */
export function createImageCopy(
  image: Uint8Array,
  { stretches }: Pick<ImageMetadata, "stretches">,
  memory: LinearMemory,
): ImageCopy {
  const offsets = offsetsOf(stretches);
  const restore = (first: number, end: number) => {
    const bytes = memory.bytes;
    for (let block = first; block < end; ) {
      const offset = offsets[block] ?? ZERO;
      const isZero = offset === ZERO;
      let next = block + 1;
      while (next < end && (offsets[next] ?? ZERO) === (isZero ? ZERO : offset + (next - block) * BLOCK_BYTES)) next++;
      const start = block * BLOCK_BYTES;
      if (isZero) bytes.fill(0, start, next * BLOCK_BYTES);
      else bytes.set(image.subarray(offset, offset + (next - block) * BLOCK_BYTES), start);
      block = next;
    }
  };
  const restoreReach = (block: number) => {
    const start = block * BLOCK_BYTES;
    const { bytes } = memory;
    if (start >= bytes.length) return;
    const offset = offsets[block] ?? ZERO;
    // Byte by byte: a view of so few costs more than they do, and there is one for each stretch.
    for (let at = 0; at < STORE_REACH; at++) bytes[start + at] = offset === ZERO ? 0 : (image[offset + at] ?? 0);
  };
  return {
    first() {
      for (const [first, end] of stretches) restore(first, end);
    },
    written: () =>
      memory.forWritten((first, end) => {
        restore(first, end);
        restoreReach(end);
      }),
    everything() {
      memory.forWritten(() => {});
      // The rest is zero: filling it would have the machine give pages for it.
      const used = Math.max(offsets.length, memory.usedBytes >> BLOCK_BITS);
      restore(0, used);
      restoreReach(used);
    },
  };
}

function offsetsOf(stretches: ImageMetadata["stretches"]): Int32Array {
  const [lastFirst, lastEnd] = stretches.at(-1) ?? [0, 0];
  const offsets = new Int32Array(Math.max(lastFirst, lastEnd)).fill(ZERO);
  let offset = 0;
  for (const [first, end] of stretches) {
    for (let block = first; block < end; block++, offset += BLOCK_BYTES) offsets[block] = offset;
  }
  return offsets;
}
