import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** The decoder's own limit; deeper messages are left to it. */
const MAX_DEPTH = 100;

/**
 * Whether a message in protobuf has more than `limit` values: fields, items and entries, at all levels, unknown ones included. Reads it once
 * and builds nothing. Bytes that are no such message have as many as could be read.
 */
export function hasTooManyFields(type: DescMessage, bytes: Uint8Array, limit: number): boolean {
  // A field takes two bytes at least, a packed number one.
  if (bytes.length < limit) return false;
  try {
    return countFields(type, new BinaryReader(bytes), bytes.length, limit, 0) > limit;
  } catch {
    return false; // The decoder finds the same fault, and reports it.
  }
}

/** The values from the reader's place to `end`; more than `limit` when there are more. */
function countFields(type: DescMessage, reader: BinaryReader, end: number, limit: number, depth: number): number {
  let count = 0;
  while (reader.pos < end && count <= limit) {
    const [number, wireType] = reader.tag();
    count++;
    const field = fieldsByNumber(type).get(number);
    const message = field?.message;
    if (wireType !== WireType.LengthDelimited || !field || !(message || isPacked(field)) || depth >= MAX_DEPTH) {
      reader.skip(wireType, number);
      continue;
    }
    const length = reader.uint32();
    const after = reader.pos + length;
    if (message) count += countEntry(field, message, reader, after, limit - count, depth + 1);
    else count += length;
    reader.pos = after;
  }
  return count;
}

/** A message of a field, or an entry of a map, whose value is field 2. */
function countEntry(
  field: DescField,
  message: DescMessage,
  reader: BinaryReader,
  end: number,
  limit: number,
  depth: number,
): number {
  if (field.fieldKind !== "map") return countFields(message, reader, end, limit, depth);
  let count = 0;
  while (reader.pos < end && count <= limit) {
    const [number, wireType] = reader.tag();
    if (number !== 2 || wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, number);
      continue;
    }
    const after = reader.uint32() + reader.pos;
    count += countFields(message, reader, after, limit - count, depth);
    reader.pos = after;
  }
  return count;
}

function isPacked(field: DescField): boolean {
  if (field.fieldKind !== "list" || field.message) return false;
  return field.enum !== undefined || (field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES);
}

const byNumber = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsByNumber(type: DescMessage): ReadonlyMap<number, DescField> {
  const known = byNumber.get(type);
  if (known) return known;
  const fields = new Map(type.fields.map((field) => [field.number, field]));
  byNumber.set(type, fields);
  return fields;
}
