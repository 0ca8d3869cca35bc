// Symbols by which no other program of the image finds anything. A library of C++ exports tens of thousands, with names of a hundred characters.
// Format: the ELF specification, 64 bits, little-endian, and the GNU hash table.

const SYMBOL_BYTES = 24;
const LOCAL = 0;
const HIDDEN = 2;
const UNDEFINED = 0;

/** Sections that are written anew, and entries of the dynamic section that say where they are. */
const TABLES = new Map([
  [".gnu.hash", 0x6ffffef5],
  [".dynsym", 6],
  [".dynstr", 5],
  [".gnu.version", 0x6ffffff0],
  [".gnu.version_r", 0x6ffffffe],
  [".rela.dyn", 7],
  [".rela.plt", 23],
]);
const TEXT_BYTES = 10;
/** Entries whose value is a place in the texts: libraries that are needed, the own name, where libraries lie. */
const TEXTS = new Set([1, 14, 15, 29]);
/** Others of that kind, which no file here has. */
const UNKNOWN_TEXTS = [0x6ffffefa, 0x6ffffefb, 0x6ffffefc, 0x7ffffffd, 0x7fffffff];

/** The names of all symbols that a file defines or asks for. `sections`: its own, with name, place and size. */
export function symbolNames(file, sections) {
  const tables = new Map(sections.map((section) => [section.name, section]));
  return tables.has(".dynsym") ? symbolsOf(file, tables).map(({ name }) => name) : [];
}

/**
 * Removes the symbols that the file defines and `isNamed` does not know; in place. Those that its own relocations need stay, without a name. Between files
 * symbols are found by name, so nothing else is found than before. The tables, and the segment that they are in, become shorter. Changes nothing where
 * that segment has other things behind its first table, as on some processors.
 */
export function removeUnnamedSymbols(file, { sections, segments, dynamic }, isNamed) {
  const tables = new Map(sections.filter(({ name }) => TABLES.has(name)).map((section) => [section.name, section]));
  const start = Math.min(...[...tables.values()].map(({ offset }) => offset));
  const segment = segments.find(({ offset, size }) => start >= offset && start < offset + size);
  if (!segment || !areAlone(tables, sections, start, segment) || dynamic.some(({ tag }) => UNKNOWN_TEXTS.includes(tag)))
    return;
  const symbols = symbolsOf(file, tables);
  const kept = keptSymbols(symbols, isNamed, referredTo(file, tables));
  const texts = newTexts(file, tables.get(".dynstr"));
  const content = new Map([
    [".gnu.hash", hashTable(kept)],
    [".dynsym", symbolTable(kept, texts)],
    [".gnu.version", Buffer.concat(kept.map(({ version }) => version))],
    ...[".rela.dyn", ".rela.plt"]
      .filter((name) => tables.has(name))
      .map((name) => [name, relocated(file, tables.get(name), symbols, kept)]),
    ...(tables.has(".gnu.version_r")
      ? [[".gnu.version_r", neededVersions(file, tables.get(".gnu.version_r"), texts)]]
      : []),
  ]);
  const named = dynamic.map((entry) => ({
    ...entry,
    value: TEXTS.has(entry.tag) ? texts.moved(entry.value) : entry.value,
  }));
  content.set(".dynstr", texts.content());
  const { addresses, end } = writeTables(file, content, { start, segment });
  for (const { at, tag, value } of named) {
    const table = [...TABLES].find(([name, one]) => one === tag && content.has(name))?.[0];
    const now = tag === TEXT_BYTES ? content.get(".dynstr").length : (addresses.get(table) ?? value);
    file.writeBigUInt64LE(BigInt(now), at + 8);
  }
  for (const field of [32, 40]) file.writeBigUInt64LE(BigInt(end - segment.offset), segment.at + field);
}

/** Whether the tables are all that follows in their segment. */
function areAlone(tables, sections, start, { offset, size }) {
  const behind = sections.filter(
    (section) => section.size > 0 && section.offset >= start && section.offset < offset + size,
  );
  const needed = [".gnu.hash", ".dynsym", ".dynstr", ".gnu.version"];
  return needed.every((name) => tables.has(name)) && behind.every(({ name }) => tables.has(name));
}

function symbolsOf(file, tables) {
  const { offset, size } = tables.get(".dynsym");
  const texts = tables.get(".dynstr").offset;
  const versions = tables.get(".gnu.version")?.offset;
  return Array.from({ length: size / SYMBOL_BYTES }, (_, index) => {
    const at = offset + index * SYMBOL_BYTES;
    const content = file.subarray(at, at + SYMBOL_BYTES);
    const name = textAt(file, texts + content.readUInt32LE(0));
    const version = versions === undefined ? undefined : file.subarray(versions + index * 2, versions + index * 2 + 2);
    const isDefined = content.readUInt16LE(6) !== UNDEFINED;
    // An address for a function of another file: all files take it, so that pointers to the function are equal.
    const standsIn = !isDefined && content.readBigUInt64LE(8) !== 0n;
    return {
      index,
      name,
      content: Buffer.from(content),
      version: version && Buffer.from(version),
      isDefined,
      standsIn,
    };
  });
}

/** Numbers of the symbols that relocations name. */
function referredTo(file, tables) {
  const found = new Set();
  for (const name of [".rela.dyn", ".rela.plt"]) {
    const { offset, size } = tables.get(name) ?? { offset: 0, size: 0 };
    for (let at = offset; at < offset + size; at += 24) found.add(file.readUInt32LE(at + 12));
  }
  return found;
}

/** In the order of the format: the empty one, those without a name, those of other files, and what others find here, by their place in the hash table. */
function keptSymbols([empty, ...symbols], isNamed, referred) {
  const unnamed = symbols.filter(({ index, name, isDefined }) => isDefined && !isNamed(name) && referred.has(index));
  const found = symbols
    .filter(({ name, isDefined, standsIn }) => standsIn || (isDefined && isNamed(name)))
    .map((symbol) => ({ ...symbol, hash: hashOf(symbol.name) }));
  const buckets = bucketsFor(found.length);
  return [
    empty,
    ...unnamed.map(withoutName),
    ...symbols.filter(({ isDefined, standsIn }) => !isDefined && !standsIn),
    ...found.sort((one, other) => (one.hash % buckets) - (other.hash % buckets)),
  ];
}

/** Nobody looks for it: a relocation takes its value as it is. */
function withoutName(symbol) {
  const content = Buffer.from(symbol.content);
  content.writeUInt8((LOCAL << 4) | (content.readUInt8(4) & 15), 4);
  content.writeUInt8(HIDDEN, 5);
  return { ...symbol, name: "", content, version: Buffer.alloc(2) };
}

/** Texts are added when they are asked for, each once. */
function newTexts(file, { offset }) {
  const places = new Map([["", 0]]);
  let length = 1;
  const add = (text) => {
    if (!places.has(text)) {
      places.set(text, length);
      length += Buffer.byteLength(text, "latin1") + 1;
    }
    return places.get(text);
  };
  return {
    add,
    /** The new place of what was at a place. */
    moved: (place) => add(textAt(file, offset + place)),
    content: () => Buffer.from([...places.keys()].map((text) => `${text}\0`).join(""), "latin1"),
  };
}

function symbolTable(symbols, texts) {
  for (const { name, content } of symbols) content.writeUInt32LE(texts.add(name), 0);
  return Buffer.concat(symbols.map(({ content }) => content));
}

function relocated(file, { offset, size }, symbols, kept) {
  const places = new Map(kept.map(({ index }, place) => [index, place]));
  const table = Buffer.from(file.subarray(offset, offset + size));
  for (let at = 0; at < size; at += 24)
    table.writeUInt32LE(places.get(symbols[table.readUInt32LE(at + 12)].index), at + 12);
  return table;
}

/** Versions of symbols of other files: a list of files, with a list of versions each. */
function neededVersions(file, { offset, size }, texts) {
  const table = Buffer.from(file.subarray(offset, offset + size));
  const move = (at) => table.writeUInt32LE(texts.moved(table.readUInt32LE(at)), at);
  for (let at = 0, next = -1; next !== 0; at += next) {
    move(at + 4);
    let version = at + table.readUInt32LE(at + 8);
    for (let left = table.readUInt16LE(at + 2); left > 0; left--) {
      move(version + 8);
      version += table.readUInt32LE(version + 12);
    }
    next = table.readUInt32LE(at + 12);
  }
  return table;
}

const SHIFT = 6;

/** Buckets of symbols with a filter before them, which says for most names that they are not here. */
function hashTable(symbols) {
  const found = symbols.filter(({ hash }) => hash !== undefined);
  const first = symbols.length - found.length;
  const [buckets, words] = [bucketsFor(found.length), 2 ** Math.ceil(Math.log2(found.length / 4 + 1))];
  const filter = new BigUint64Array(words);
  const starts = new Uint32Array(buckets);
  const chain = new Uint32Array(found.length);
  for (const [place, { hash }] of found.entries()) {
    const word = Math.floor(hash / 64) % words;
    filter[word] |= (1n << BigInt(hash % 64)) | (1n << BigInt((hash >>> SHIFT) % 64));
    starts[hash % buckets] ||= first + place;
    const isLast = found[place + 1] === undefined || found[place + 1].hash % buckets !== hash % buckets;
    chain[place] = isLast ? hash | 1 : hash & ~1;
  }
  const header = Uint32Array.of(buckets, first, words, SHIFT);
  return Buffer.concat([header, filter, starts, chain].map(({ buffer }) => Buffer.from(buffer)));
}

function bucketsFor(count) {
  return Math.max(1, Math.ceil(count / 4));
}

function hashOf(name) {
  let hash = 5381;
  for (const byte of Buffer.from(name, "latin1")) hash = (Math.imul(hash, 33) + byte) >>> 0;
  return hash;
}

/** One table behind the other. Returns their addresses, and where in the file the last ends. */
function writeTables(file, content, { start, segment }) {
  const before = segment.offset + segment.size;
  const addresses = new Map();
  let end = start;
  file.fill(0, start, before);
  for (const [name, table] of content) {
    const place = Math.ceil(end / 8) * 8;
    end = place + table.copy(file, place);
    addresses.set(name, place - segment.offset + segment.address);
  }
  if (end > before) throw new Error("The tables of symbols have become larger.");
  return { addresses, end };
}

function textAt(file, start) {
  return file.toString("latin1", start, file.indexOf(0, start));
}
