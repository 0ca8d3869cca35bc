import { open } from "node:fs/promises";

/** Large enough that reading costs few system calls, small enough that nobody notices it in memory. */
const CHUNK_BYTES = 256 << 10;

/**
 * A file piece by piece through one buffer: a piece is valid until the next is asked for. What is read whole lies in memory
 * long after its use, because only a collection of the whole heap finds large buffers.
 */
export async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
