// What the image has to know of programs and libraries: which others they need, and where what is loaded of them ends. Read from the file, because the image may be
// for another processor than the one that builds it. Format: the ELF specification, 64 bits, little-endian.
import { closeSync, copyFileSync, openSync, readFileSync, readSync, truncateSync, writeSync } from "node:fs";

const SEGMENT = { LOAD: 1, DYNAMIC: 2, INTERPRETER: 3 };
const ENTRY = { NEEDED: 1, STRING_TABLE: 5 };

/** `interpreter`: the path of the program that loads it, or undefined for a library; `needed`: names of libraries. Undefined: no such file. */
export function readElf(path) {
  if (!isElf(path)) return undefined;
  const file = readFileSync(path);
  const segments = segmentsOf(file);
  const named = segments.find(({ type }) => type === SEGMENT.INTERPRETER);
  const interpreter = named && file.toString("latin1", named.offset, named.offset + named.size - 1);
  return { interpreter, needed: neededBy(file, segments) };
}

/** Copies a program or library without what is never loaded: symbols and what debuggers read, a sixth of Node. */
export function copyLoaded(from, to) {
  copyFileSync(from, to);
  const file = readFileSync(from);
  const loaded = segmentsOf(file).filter(({ type }) => type === SEGMENT.LOAD);
  truncateSync(to, Math.max(...loaded.map(({ offset, size }) => offset + size)));
  // The table of sections lay behind; place, number and the section of names are told in the header.
  const handle = openSync(to, "r+");
  writeSync(handle, Buffer.alloc(8), 0, 8, 0x28);
  writeSync(handle, Buffer.alloc(4), 0, 4, 0x3c);
  closeSync(handle);
}

function isElf(path) {
  const start = Buffer.alloc(6);
  const handle = openSync(path, "r");
  readSync(handle, start, 0, 6, 0);
  closeSync(handle);
  return start.toString("latin1") === "\x7fELF\x02\x01";
}

function segmentsOf(file) {
  const table = Number(file.readBigUInt64LE(0x20));
  const [size, count] = [file.readUInt16LE(0x36), file.readUInt16LE(0x38)];
  return Array.from({ length: count }, (_, index) => {
    const at = table + index * size;
    const number = (place) => Number(file.readBigUInt64LE(at + place));
    return { type: file.readUInt32LE(at), offset: number(8), address: number(16), size: number(32) };
  });
}

function neededBy(file, segments) {
  const dynamic = segments.find(({ type }) => type === SEGMENT.DYNAMIC);
  if (!dynamic) return [];
  const entries = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16)
    entries.push({ tag: Number(file.readBigInt64LE(at)), value: Number(file.readBigUInt64LE(at + 8)) });
  const address = entries.find(({ tag }) => tag === ENTRY.STRING_TABLE)?.value ?? 0;
  const segment = segments.find(
    ({ type, address: start, size }) => type === SEGMENT.LOAD && address >= start && address < start + size,
  );
  if (!segment) return [];
  const names = address - segment.address + segment.offset;
  return entries.filter(({ tag }) => tag === ENTRY.NEEDED).map(({ value }) => textAt(file, names + value));
}

function textAt(file, start) {
  return file.toString("latin1", start, file.indexOf(0, start));
}
