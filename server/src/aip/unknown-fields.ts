import type { Message } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/**
 * A field that a message has in a file and its definition lacks. It is kept with the message as a protobuf unknown field, so it is
 * stored, cloned and deleted with it, at any depth, and JSON of the API does not show it (PKG-30).
 */
export interface UnknownField {
  /** As in the file. */
  readonly key: string;
  /** The value as JSON text, its numbers and the order of its keys as in the file. */
  readonly json: string;
  /** Number of the known field before it in the file: where it belongs among the others. 0 at the start. */
  readonly after: number;
  /** Whether the file is the one with the values that depend on the environment. Default false: the manifest. */
  readonly isEnvironment?: boolean;
}

/** Near the end of protobuf's range, where no published definition has a field. */
const FIELD_NUMBER = 536_870_896;

/** The unknown fields of a message itself, in their order in the file. */
export function unknownFieldsOf({ $unknown = [] }: Message): readonly UnknownField[] {
  return $unknown
    .filter(({ no, wireType }) => no === FIELD_NUMBER && wireType === WireType.LengthDelimited)
    .flatMap(({ data }) => decode(data) ?? []);
}

/** Replaces the unknown fields of a message itself; `message` must be the caller's own copy. */
export function setUnknownFields(message: Message, fields: readonly UnknownField[]): void {
  const others = message.$unknown?.filter(({ no }) => no !== FIELD_NUMBER) ?? [];
  const own = fields.map((field) => ({ no: FIELD_NUMBER, wireType: WireType.LengthDelimited, data: encode(field) }));
  if (own.length + others.length > 0) message.$unknown = [...others, ...own];
  else delete message.$unknown;
}

/**
 * The unknown field that must be a type of the message: an object whose key ends like those of a oneof, e.g. `declarativeAgent` for
 * the suffix `Agent`.
 */
export function unknownTypeOf(message: Message, suffix: string): string | undefined {
  const ending = new RegExp(`(?:${suffix}|_${suffix.toLowerCase()})$`);
  const found = unknownFieldsOf(message).find(
    ({ key, json, isEnvironment }) => !isEnvironment && ending.test(key) && json.startsWith("{"),
  );
  return found?.key;
}

function encode({ key, json, after, isEnvironment = false }: UnknownField): Uint8Array {
  return new BinaryWriter().string(JSON.stringify([key, json, after, isEnvironment])).finish();
}

/** Undefined for bytes of that number that a client made up. */
function decode(data: Uint8Array): UnknownField | undefined {
  try {
    const [key, json, after, isEnvironment]: unknown[] = JSON.parse(new BinaryReader(data).string());
    if (typeof key !== "string" || typeof json !== "string" || typeof after !== "number") return undefined;
    if (!fits(JSON.parse(json), MAX_LEVELS)) return undefined;
    return isEnvironment === true ? { key, json, after, isEnvironment } : { key, json, after };
  } catch {
    return undefined;
  }
}

/** Levels of a value, at most: the limit of protobuf's own readers, and of an import. */
const MAX_LEVELS = 100;

function fits(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return levels > 0 && Object.values(value).every((item) => fits(item, levels - 1));
}
