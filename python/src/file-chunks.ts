import { createReadStream, existsSync } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { promisify } from "node:util";
import { createZstdDecompress, zstdDecompress } from "node:zlib";

/** Large enough that reading costs few system calls, small enough that nobody notices it in memory. */
const CHUNK_BYTES = 256 << 10;

/** Of a file's name, where it lies compressed alone, as in the image of a container. */
const COMPRESSED = ".zst";

const decompressed = promisify(zstdDecompress);

/**
 * A file piece by piece: a piece is valid until the next is asked for. What is read whole lies in memory
 * long after its use, because only a collection of the whole heap finds large buffers.
 */
export async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  if (existsSync(path)) yield* plainChunks(path);
  else {
    const content = createZstdDecompress({ chunkSize: CHUNK_BYTES });
    // What fails is thrown to who reads.
    yield* pipeline(createReadStream(path + COMPRESSED), content, () => {});
  }
}

/** The content of a file at once. */
export async function readContent(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return existsSync(path) ? readFile(path) : decompressed(await readFile(path + COMPRESSED));
}

/** Bytes of a file's content. */
export async function contentSize(path: string): Promise<number> {
  return existsSync(path) ? (await stat(path)).size : sizeIn(path + COMPRESSED);
}

async function* plainChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, size));
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Flags of the header that say that the size has four bytes, which all of 64 KiB and more have. */
const FOUR_BYTES = 2;

/** The size that the header of the frame says (RFC 8878): after its magic number and flags, and the size of the window unless it is one segment. */
async function sizeIn(path: string): Promise<number> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(10);
    await file.read(header, 0, header.length);
    const flags = header.readUInt8(4);
    if (flags >> 6 !== FOUR_BYTES || (flags & 3) !== 0)
      throw new Error(`${path} does not say how large its content is`);
    return header.readUInt32LE(flags & 0x20 ? 5 : 6);
  } finally {
    await file.close();
  }
}
