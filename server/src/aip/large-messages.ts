import { create, type DescField, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { createPauses } from "#base";
import { shallowCopy } from "./field-behavior.ts";

/** Bytes of a message from which it is read and written in pieces, so that other calls run in between: a version is a whole app. */
const LARGE = 128 * 1024;

/** Elements of a list from which a message is written in pieces. */
const LONG_LIST = 50;

type Pause = () => Promise<void> | undefined;

/** `fromBinary`; a large message is read element by element. */
export async function readLargeMessage(desc: DescMessage, bytes: Uint8Array): Promise<Message> {
  return read(desc, bytes, createPauses());
}

async function read(desc: DescMessage, bytes: Uint8Array, pause: Pause): Promise<Message> {
  if (bytes.length < LARGE) return fromBinary(desc, bytes);
  const nested = new Map(desc.fields.filter(isInPieces).map((field) => [field.number, field]));
  const values: { readonly field: DescField; readonly value: Message }[] = [];
  const rest: Uint8Array[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < bytes.length) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    const field = wireType === WireType.LengthDelimited ? nested.get(number) : undefined;
    if (field?.message) {
      values.push({ field, value: await read(field.message, reader.bytes(), pause) });
      await pause();
    } else {
      reader.skip(wireType, number);
      rest.push(bytes.subarray(start, reader.pos));
    }
  }
  const message = fromBinary(desc, new Uint8Array(Buffer.concat(rest))) as Message & Record<string, unknown>;
  for (const { field, value } of values)
    if (field.fieldKind === "list") (message[field.localName] as Message[]).push(value);
    else message[field.localName] = value;
  return message;
}

/** `toBinary`; a message with long lists is written element by element. */
export async function writeLargeMessage(desc: DescMessage, message: Message): Promise<Uint8Array> {
  return write(desc, message, createPauses());
}

async function write(desc: DescMessage, message: Message, pause: Pause): Promise<Uint8Array> {
  const members = message as Message & Record<string, unknown>;
  const long = desc.fields.filter((field) => isInPieces(field) && isLong(field, members[field.localName]));
  if (long.length === 0) return toBinary(desc, message);
  const rest = shallowCopy(members);
  const empty = create(desc) as Message & Record<string, unknown>;
  for (const { localName } of long) Object.assign(rest, { [localName]: empty[localName] });
  const writer = new BinaryWriter().raw(toBinary(desc, rest));
  for (const field of long) {
    const value = members[field.localName];
    for (const each of field.fieldKind === "list" ? (value as Message[]) : [value as Message]) {
      const bytes = await write(field.message as DescMessage, each, pause);
      writer.tag(field.number, WireType.LengthDelimited).bytes(bytes);
      await pause();
    }
  }
  return writer.finish();
}

/** Messages outside of oneofs, and lists of messages. */
function isInPieces(field: DescField): boolean {
  return (
    field.message !== undefined &&
    field.oneof === undefined &&
    (field.fieldKind === "list" || (field.fieldKind === "message" && !field.delimitedEncoding)) &&
    !field.message.typeName.startsWith("google.protobuf.")
  );
}

function isLong(field: DescField, value: unknown): boolean {
  if (field.fieldKind === "list") return (value as readonly unknown[]).length > LONG_LIST;
  if (value === undefined || !field.message) return false;
  const members = value as Record<string, unknown>;
  return field.message.fields.some((inner) => isInPieces(inner) && isLong(inner, members[inner.localName]));
}
