import { create, type DescField, ScalarType } from "@bufbuild/protobuf";

/** The initial value of a field, or of one element of it. */
export function emptyValue({ message, enum: choices, scalar }: DescField): unknown {
  // A Struct is a plain object in messages, not a message of its own.
  if (message) return message.typeName === "google.protobuf.Struct" ? {} : create(message);
  return choices ? (choices.values[0]?.number ?? 0) : emptyScalar(scalar);
}

function emptyScalar(scalar: ScalarType | undefined): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return "";
    case ScalarType.BOOL:
      return false;
    case ScalarType.BYTES:
      return new Uint8Array();
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return 0n;
    default:
      return 0;
  }
}
