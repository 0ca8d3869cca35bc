// What the image has to know of programs and libraries: which others they need, and what of them is loaded. Read from the file, because the image may be
// for another processor than the one that builds it. Format: the ELF specification, 64 bits, little-endian.
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { removeUnnamedSymbols, symbolNames } from "./symbols.mjs";

const SEGMENT = { NONE: 0, LOAD: 1, DYNAMIC: 2, INTERPRETER: 3, UNWINDING: 0x6474e550 };
const ENTRY = { NEEDED: 1, STRING_TABLE: 5 };

/** Sections that only unwinding reads. */
const UNWINDING = new Set([".eh_frame_hdr", ".eh_frame", ".gcc_except_table"]);

/**
 * `interpreter`: the path of the program that loads it, or undefined for a library; `needed`: names of libraries; `symbols`: names of what it defines and
 * asks for. Undefined: no such file.
 */
export function readElf(path) {
  if (!isElf(path)) return undefined;
  const file = readFileSync(path);
  const segments = segmentsOf(file);
  const named = segments.find(({ type }) => type === SEGMENT.INTERPRETER);
  const interpreter = named && file.toString("latin1", named.offset, named.offset + named.size - 1);
  return { interpreter, needed: neededBy(file, segments), symbols: symbolNames(file, sectionsOf(file)) };
}

/** Pages of 64 KiB are the largest that Linux has on these processors; where the file and the memory agree in that, each segment can be mapped. */
const PAGE = 0x10000;

/**
 * Copies a program or library without what is never loaded: symbols, what debuggers read, and gaps between segments. `unwinds`: whether exceptions
 * pass through it (default: true); if not, the tables for that are left out where they are the end of a segment. `isNamed`: whether another file may ask
 * for a symbol by that name (default: for each); what none asks for is left out. Together a fifth of Node.
 */
export function copyLoaded(from, to, { unwinds = true, isNamed } = {}) {
  const file = readFileSync(from);
  if (isNamed) {
    const segments = segmentsOf(file).filter(({ type }) => type === SEGMENT.LOAD);
    removeUnnamedSymbols(
      file,
      { sections: sectionsOf(file), segments, dynamic: dynamicOf(file, segmentsOf(file)) },
      isNamed,
    );
  }
  const all = segmentsOf(file);
  const moved = placesOf(all, unwinds ? undefined : tablesIn(file, all));
  const copy = Buffer.alloc(Math.max(...moved.map(({ place, size }) => place + size)));
  for (const { offset, place, size } of moved) file.copy(copy, place, offset, offset + size);
  for (const segment of all) writeHeader(copy, segment, moved);
  // The table of sections lay behind; place, number and the section of names are told in the header.
  copy.fill(0, 0x28, 0x30).fill(0, 0x3c, 0x40);
  writeFileSync(to, copy);
}

/** The loaded segments with their places in the copy: one behind the other, where their pages can be mapped. */
function placesOf(all, tables) {
  const loaded = all.filter(({ type }) => type === SEGMENT.LOAD).sort((one, other) => one.offset - other.offset);
  let end = 0;
  return loaded.map((segment) => {
    const size = tables?.segment === segment ? tables.offset - segment.offset : segment.size;
    const place = segment.offset === 0 ? 0 : end + ((((segment.address - end) % PAGE) + PAGE) % PAGE);
    end = place + size;
    return { ...segment, segment, size, place };
  });
}

/** The tables for unwinding, if they are all that follows in their segment. */
function tablesIn(file, all) {
  const tables = all.find(({ type }) => type === SEGMENT.UNWINDING);
  const segment = tables && all.find((one) => one.type === SEGMENT.LOAD && contains(one, tables.offset));
  if (!segment) return undefined;
  const behind = sectionsOf(file).filter(({ offset }) => offset >= tables.offset && contains(segment, offset));
  return behind.every(({ name }) => UNWINDING.has(name)) ? { segment, offset: tables.offset } : undefined;
}

/** Tells in the table of segments where one lies in the copy. What was left out is no segment any more. */
function writeHeader(copy, { at, type, offset, size, align }, moved) {
  if (size === 0) return;
  const holder = moved.find((one) => contains(one.segment, offset));
  const place = holder ? offset - holder.offset + holder.place : Number.NaN;
  if (!holder || place >= holder.place + holder.size) {
    copy.writeUInt32LE(SEGMENT.NONE, at);
    return;
  }
  copy.writeBigUInt64LE(BigInt(place), at + 8);
  if (type !== SEGMENT.LOAD) return;
  for (const field of [32, 40])
    if (holder.size < holder.segment.size) copy.writeBigUInt64LE(BigInt(holder.size), at + field);
  copy.writeBigUInt64LE(BigInt(Math.min(align, PAGE)), at + 48);
}

function contains({ offset, size }, place) {
  return place >= offset && place < offset + size;
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
    const type = file.readUInt32LE(at);
    return { at, type, offset: number(8), address: number(16), size: number(32), align: number(48) };
  });
}

function sectionsOf(file) {
  const table = Number(file.readBigUInt64LE(0x28));
  const [size, count, names] = [0x3a, 0x3c, 0x3e].map((place) => file.readUInt16LE(place));
  const number = (index, place) => Number(file.readBigUInt64LE(table + index * size + place));
  return Array.from({ length: count }, (_, index) => ({
    name: textAt(file, number(names, 0x18) + file.readUInt32LE(table + index * size)),
    offset: number(index, 0x18),
    size: number(index, 0x20),
  }));
}

function neededBy(file, segments) {
  const entries = dynamicOf(file, segments);
  const address = entries.find(({ tag }) => tag === ENTRY.STRING_TABLE)?.value ?? 0;
  const segment = segments.find(
    ({ type, address: start, size }) => type === SEGMENT.LOAD && address >= start && address < start + size,
  );
  if (!segment) return [];
  const names = address - segment.address + segment.offset;
  return entries.filter(({ tag }) => tag === ENTRY.NEEDED).map(({ value }) => textAt(file, names + value));
}

/** What the loader reads, with where in the file it lies. */
function dynamicOf(file, segments) {
  const { offset = 0, size = 0 } = segments.find(({ type }) => type === SEGMENT.DYNAMIC) ?? {};
  return Array.from({ length: size / 16 }, (_, index) => {
    const at = offset + index * 16;
    return { at, tag: Number(file.readBigInt64LE(at)), value: Number(file.readBigUInt64LE(at + 8)) };
  });
}

function textAt(file, start) {
  return file.toString("latin1", start, file.indexOf(0, start));
}
