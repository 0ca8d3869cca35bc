import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync } from "node:zlib";
import { createPauses } from "#base";
import { resourceExhausted } from "#status";
import type { PackageFile } from "../package-files.ts";

/** Entries of a zip without the 64-bit extension, at most. */
const MAX_FILES = 0xfffe;

/**
 * A zip of the given files in the given order, in the shape the hosted product writes (PKG-2): deflate, version
 * 2.0, sizes in data descriptors, UTF-8 names, no folder entries, no extra fields, one timestamp on all entries.
 * `time` is in milliseconds since the epoch and written as UTC, in steps of two seconds as zips have them, so equal input gives
 * equal bytes on every machine. No zip library sets these flags and descriptors, so this is our own writer.
 */
export async function writeZip(files: readonly PackageFile[], time: number): Promise<Uint8Array> {
  if (files.length > MAX_FILES)
    throw resourceExhausted(`The package would have ${files.length} files; it has at most ${MAX_FILES}.`);
  const stamp = dosTime(time);
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  const pause = createPauses();
  let offset = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path, "utf8");
    const data = bytes.length > LONG_FILE ? await deflateInThread(bytes) : deflateRawSync(bytes);
    const sizes = { crc: crc32(bytes), compressed: data.length, plain: bytes.length };
    const body = Buffer.concat([localHeader(name, stamp), data, dataDescriptor(sizes)]);
    bodies.push(body);
    directory.push(directoryEntry(name, stamp, sizes, offset));
    offset += body.length;
    await pause();
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...bodies, entries, endRecord(files.length, entries.length, offset)]);
}

/** Bytes of a file from which it is deflated in a thread. Most files are short, and a thread for each would cost more. */
const LONG_FILE = 64 * 1024;

const deflateInThread = promisify<Uint8Array, Buffer>(deflateRaw);

interface Stamp {
  readonly time: number;
  readonly date: number;
}

interface Sizes {
  readonly crc: number;
  readonly compressed: number;
  readonly plain: number;
}

const VERSION = 20;
/** Bit 3: sizes follow the data. Bit 11: names are UTF-8. */
const FLAGS = 0x0808;
const DEFLATE = 8;
const FIRST_YEAR = 1980;

/** MS-DOS date and time; it begins in 1980. */
function dosTime(milliseconds: number): Stamp {
  const date = new Date(Math.max(milliseconds, Date.UTC(FIRST_YEAR, 0, 1)));
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    date: ((date.getUTCFullYear() - FIRST_YEAR) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  };
}

function localHeader(name: Buffer, { time, date }: Stamp): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(DEFLATE, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

function dataDescriptor({ crc, compressed, plain }: Sizes): Buffer {
  const descriptor = Buffer.alloc(16);
  descriptor.writeUInt32LE(0x08074b50, 0);
  descriptor.writeUInt32LE(crc, 4);
  descriptor.writeUInt32LE(compressed, 8);
  descriptor.writeUInt32LE(plain, 12);
  return descriptor;
}

function directoryEntry(
  name: Buffer,
  { time, date }: Stamp,
  { crc, compressed, plain }: Sizes,
  offset: number,
): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(VERSION, 4);
  entry.writeUInt16LE(VERSION, 6);
  entry.writeUInt16LE(FLAGS, 8);
  entry.writeUInt16LE(DEFLATE, 10);
  entry.writeUInt16LE(time, 12);
  entry.writeUInt16LE(date, 14);
  entry.writeUInt32LE(crc, 16);
  entry.writeUInt32LE(compressed, 20);
  entry.writeUInt32LE(plain, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

function endRecord(count: number, directorySize: number, directoryOffset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directorySize, 12);
  end.writeUInt32LE(directoryOffset, 16);
  return end;
}
