/** From `at` (UTC seconds; -Infinity for the first) a zone has this offset from UTC, in seconds. */
export interface Transition {
  readonly at: number;
  readonly offset: number;
  readonly isDaylight: boolean;
  readonly abbreviation: string;
}

/** Encodes a zone as a TZif file, version 2 (RFC 8536). The first version's block is left empty, as readers ignore it. */
export function encodeTzif(transitions: readonly Transition[], footer: string): Uint8Array {
  const { types, indexOf } = distinctTypes(transitions);
  const names = [...new Set(types.map((type) => type.abbreviation))].map((name) => `${name}\0`);
  const nameOffset = (abbreviation: string) => names.join("").indexOf(`${abbreviation}\0`);
  const timed = transitions.filter((transition) => Number.isFinite(transition.at));
  const times = Buffer.alloc(timed.length * 8);
  for (const [index, { at }] of timed.entries()) times.writeBigInt64BE(BigInt(at), index * 8);
  const typeRecords = types.map(({ offset, isDaylight, abbreviation }) => {
    const record = Buffer.alloc(6);
    record.writeInt32BE(offset, 0);
    record[4] = isDaylight ? 1 : 0;
    record[5] = nameOffset(abbreviation);
    return record;
  });
  return Buffer.concat([
    header(0, 1, 1),
    Buffer.alloc(6 + 1), // the empty first block: one type, one name
    header(timed.length, types.length, names.join("").length),
    times,
    Buffer.from(timed.map(indexOf)),
    ...typeRecords,
    Buffer.from(names.join(""), "latin1"),
    Buffer.from(`\n${footer}\n`, "latin1"),
  ]);
}

function distinctTypes(transitions: readonly Transition[]) {
  const keyOf = ({ offset, isDaylight, abbreviation }: Transition) => `${offset} ${isDaylight} ${abbreviation}`;
  const types = new Map<string, Transition>();
  for (const transition of transitions) if (!types.has(keyOf(transition))) types.set(keyOf(transition), transition);
  const keys = [...types.keys()];
  return { types: [...types.values()], indexOf: (transition: Transition) => keys.indexOf(keyOf(transition)) };
}

function header(transitionCount: number, typeCount: number, nameBytes: number): Buffer {
  const bytes = Buffer.alloc(44);
  bytes.write("TZif2", 0, "latin1");
  bytes.writeUInt32BE(transitionCount, 32);
  bytes.writeUInt32BE(typeCount, 36);
  bytes.writeUInt32BE(nameBytes, 40);
  return bytes;
}
