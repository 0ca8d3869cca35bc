/** What a fake answers to a batch, as it is put on the wire. */
export interface FakeResult {
  /** `name type` of each column; types as in `TYPES`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Message types of TDS (MS-TDS 2.2.3.1.1). */
export const MESSAGE = { batch: 0x01, attention: 0x06, login: 0x10, prelogin: 0x12, answer: 0x04 } as const;

const HEADER_BYTES = 8;
const LAST = 0x01;

/** One message in one packet; answers of the fake are short. */
export function packet(payload: Buffer): Buffer {
  const header = Buffer.from([MESSAGE.answer, LAST, 0, 0, 0, 0, 1, 0]);
  header.writeUInt16BE(payload.length + HEADER_BYTES, 2);
  return Buffer.concat([header, payload]);
}

/** Takes whole messages out of a stream of packets. */
export function messageReader(onMessage: (type: number, payload: Buffer) => void): (chunk: Buffer) => void {
  let received = Buffer.alloc(0);
  let parts: Buffer[] = [];
  return (chunk) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= HEADER_BYTES && received.length >= received.readUInt16BE(2)) {
      const [type = 0, status = 0] = received;
      const length = received.readUInt16BE(2);
      parts.push(received.subarray(HEADER_BYTES, length));
      received = received.subarray(length);
      if ((status & LAST) === 0) continue;
      onMessage(type, Buffer.concat(parts));
      parts = [];
    }
  };
}

/** The answer to PRELOGIN: a version, and no encryption. */
export function preloginAnswer(): Buffer {
  const [version, encryption, end] = [0x00, 0x01, 0xff];
  const [at, notSupported] = [11, 2];
  return Buffer.from([version, 0, at, 0, 6, encryption, 0, at + 6, 0, 1, end, 16, 0, 0, 0, 0, 0, notSupported]);
}

/** User, password and database of LOGIN7 (MS-TDS 2.2.6.4). */
export function readLogin(payload: Buffer) {
  const part = (at: number) => {
    const from = payload.readUInt16LE(at);
    return Buffer.from(payload.subarray(from, from + 2 * payload.readUInt16LE(at + 2)));
  };
  const password = part(44).map((byte) => {
    const mixed = byte ^ 0xa5;
    return ((mixed << 4) | (mixed >> 4)) & 0xff;
  });
  return {
    user: part(40).toString("utf16le"),
    password: Buffer.from(password).toString("utf16le"),
    database: part(68).toString("utf16le"),
  };
}

/** The statements of a batch, behind its headers. */
export function readBatch(payload: Buffer): string {
  return payload.subarray(payload.readUInt32LE(0)).toString("utf16le");
}

export function loginAnswer(): Buffer {
  const name = shortText("fake SQL Server");
  const body = Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), name, Buffer.from([16, 0, 0, 0])]);
  return Buffer.concat([Buffer.from([0xad]), uint16(body.length), body, done()]);
}

/** The end of a statement. */
export function done(status = 0): Buffer {
  return Buffer.concat([Buffer.from([0xfd]), uint16(status), uint16(0), Buffer.alloc(8)]);
}

export function errorAnswer(number: number, severity: number, message: string): Buffer {
  const text = Buffer.concat([uint16(message.length), Buffer.from(message, "utf16le")]);
  const body = Buffer.concat([int32(number), Buffer.from([1, severity]), text, shortText(""), shortText(""), int32(1)]);
  return Buffer.concat([Buffer.from([0xaa]), uint16(body.length), body, done(0x02)]);
}

export function resultAnswer({ columns, rows }: FakeResult): Buffer {
  const described = columns.map((column) => {
    const [name = "", type = ""] = column.split(" ");
    return { name, type: TYPES[type] ?? unknownType(type) };
  });
  const metadata = described.map(({ name, type }) =>
    Buffer.concat([int32(0), uint16(0x01), Buffer.from(type.info), shortText(name)]),
  );
  const cells = rows.map((row) =>
    Buffer.concat([Buffer.from([0xd1]), ...described.map(({ type }, at) => type.cell(row[at] ?? null))]),
  );
  return Buffer.concat([Buffer.from([0x81]), uint16(columns.length), ...metadata, ...cells]);
}

interface FakeType {
  readonly info: readonly number[];
  cell(value: unknown): Buffer;
}

function unknownType(name: string): never {
  throw new Error(`The fake has no type ${name}.`);
}

/** A value with its length in one byte before it; none is NULL. */
function short(info: readonly number[], encode: (value: unknown) => Buffer): FakeType {
  return {
    info,
    cell(value) {
      const bytes = value === null ? Buffer.alloc(0) : encode(value);
      return Buffer.concat([Buffer.from([bytes.length]), bytes]);
    },
  };
}

const LONGEST = 8000;
const COLLATION = [0x09, 0x04, 0xd0, 0x00, 0x34];

/** A value with its length in two bytes before it. */
function long(type: number, collation: readonly number[], encode: (value: unknown) => Buffer): FakeType {
  return {
    info: [type, ...uint16(LONGEST), ...collation],
    cell(value) {
      if (value === null) return Buffer.from([0xff, 0xff]);
      const bytes = encode(value);
      return Buffer.concat([uint16(bytes.length), bytes]);
    },
  };
}

/** Days since the first day of the year 1. */
function days(value: unknown): number {
  return Math.floor(Date.parse(`${String(value).slice(0, 10)}T00:00:00Z`) / 86_400_000) + 719_162;
}

/** The time of a moment in seconds from midnight with seven digits. */
function ticks(value: unknown): bigint {
  const [, hours = "0", minutes = "0", seconds = "0"] = /T(\d+):(\d+):([\d.]+)/.exec(String(value)) ?? [];
  return BigInt(Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e7));
}

function littleEndian(value: bigint, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn)));
}

/** A sign, and the digits as a whole number. */
function decimal(scale: number): FakeType {
  return short([0x6a, 17, 38, scale], (value) => {
    const digits = BigInt(String(value).replace(".", ""));
    return Buffer.concat([Buffer.from([digits < 0n ? 0 : 1]), littleEndian(digits < 0n ? -digits : digits, 16)]);
  });
}

/** Types of the fake (MS-TDS 2.2.5.4). */
const TYPES: Readonly<Record<string, FakeType>> = {
  bigint: short([0x26, 8], (value) => littleEndian(BigInt(String(value)), 8)),
  bit: short([0x68, 1], (value) => Buffer.from([value ? 1 : 0])),
  "decimal(38,2)": decimal(2),
  "decimal(38,15)": decimal(15),
  money: short([0x6e, 8], (value) => {
    const units = BigInt(Math.round(Number(value) * 10_000));
    return Buffer.concat([littleEndian((units >> 32n) & 0xffffffffn, 4), littleEndian(units & 0xffffffffn, 4)]);
  }),
  real: short([0x6d, 4], (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(Number(value));
    return bytes;
  }),
  date: short([0x28], (value) => littleEndian(BigInt(days(value)), 3)),
  datetime2: short([0x2a, 7], (value) =>
    Buffer.concat([littleEndian(ticks(value), 5), littleEndian(BigInt(days(value)), 3)]),
  ),
  datetimeoffset: short([0x2b, 7], (value) =>
    Buffer.concat([littleEndian(ticks(value), 5), littleEndian(BigInt(days(value)), 3), uint16(120)]),
  ),
  nvarchar: long(0xe7, COLLATION, (value) => Buffer.from(String(value), "utf16le")),
  varbinary: long(0xa5, [], (value) => Buffer.from(String(value))),
};

function shortText(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text, "utf16le")]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
