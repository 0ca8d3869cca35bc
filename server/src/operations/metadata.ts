import { clone, type DescMessage, fromBinary, type Message, type Registry, toBinary } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type Any, AnySchema, anyPack, anyUnpack, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** Where message types are looked up by name; a protobuf-es `Registry` is one. */
export type MessageTypes = Pick<Registry, "getMessage">;

/** What every operation metadata message of the hosted services says in the same three fields, when it has them. */
export interface OperationStamps {
  /** Milliseconds since the epoch. */
  readonly createTime?: number;
  readonly endTime?: number;
  readonly requestedCancellation?: boolean;
}

/** Binary `Any` of a metadata message, with the stamps in its `create_time`, `end_time` and `requested_cancellation`. */
export function packMetadata(types: MessageTypes, metadata: Message, stamps: OperationStamps): Uint8Array {
  const desc = types.getMessage(metadata.$typeName);
  if (!desc) throw new Error(`the metadata type ${metadata.$typeName} is not registered`);
  return toBinary(AnySchema, anyPack(desc, stamped(desc, metadata, stamps)));
}

/** The same for metadata that is packed already. Empty, or of a type this program does not know, it stays as it is. */
export function restampMetadata(types: MessageTypes, packed: Uint8Array, stamps: OperationStamps): Uint8Array {
  if (packed.length === 0) return packed;
  const any: Any = fromBinary(AnySchema, packed);
  const desc = types.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1));
  const metadata = desc && anyUnpack(any, desc);
  return desc && metadata ? toBinary(AnySchema, anyPack(desc, stamped(desc, metadata, stamps))) : packed;
}

function stamped(desc: DescMessage, metadata: Message, stamps: OperationStamps): Message {
  const copy = reflect(desc, clone(desc, metadata));
  for (const field of desc.fields) {
    if (field.fieldKind === "message" && field.message.typeName === "google.protobuf.Timestamp") {
      const time = timeFor(field.name, stamps);
      if (time !== undefined) copy.set(field, reflect(field.message, timestampFromMs(Math.floor(time))));
    } else if (
      field.fieldKind === "scalar" &&
      field.name === "requested_cancellation" &&
      stamps.requestedCancellation
    ) {
      copy.set(field, true);
    }
  }
  return copy.message;
}

function timeFor(field: string, { createTime, endTime }: OperationStamps): number | undefined {
  if (field === "create_time") return createTime;
  return field === "end_time" ? endTime : undefined;
}
