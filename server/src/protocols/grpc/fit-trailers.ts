import { type AnyDesc, create, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { type BadRequest, BadRequestSchema } from "@frontdesk/protos/google/rpc/error_details";
import { ConnectError } from "#status";

/** Bytes of an error that gRPC clients surely take: it is in the trailers, and their HTTP/2 libraries end a stream whose header fields are longer than 64 KiB. */
const MAX_BYTES = 32 * 1024;
/** Of these for the message, which the trailers have a second time in the details. */
const MAX_MESSAGE = 4 * 1024;

/** An error whose message and details fit into the trailers of gRPC: the first violations, and how many more there are (WIRE-26). */
export function fitTrailers(error: ConnectError): ConnectError {
  const sizes = error.details.map((detail) => ("desc" in detail ? sizeOf(detail) : detail.value.length));
  const total = sizes.reduce((sum, size) => sum + size, 2 * Buffer.byteLength(error.rawMessage));
  if (total <= MAX_BYTES) return error;
  const details = error.details.flatMap((detail, index) => {
    if ("desc" in detail && detail.desc.typeName === BadRequestSchema.typeName)
      return [{ desc: BadRequestSchema, value: firstViolations(detail.value as BadRequest) }];
    return "desc" in detail && (sizes[index] ?? 0) <= MAX_MESSAGE ? [detail] : [];
  });
  const fitting = new ConnectError(shortened(error.rawMessage), error.code, error.metadata, details);
  fitting.cause = error.cause;
  return fitting;
}

function sizeOf({ desc, value }: { readonly desc: DescMessage & AnyDesc; readonly value: unknown }): number {
  // The constructors of `#status` create the value with this very descriptor.
  return toBinary(desc, value as Message).length;
}

function firstViolations({ fieldViolations }: BadRequest): BadRequest {
  const kept: BadRequest["fieldViolations"] = [];
  let bytes = 0;
  for (const violation of fieldViolations) {
    bytes += Buffer.byteLength(violation.field) + Buffer.byteLength(violation.description);
    if (bytes > MAX_BYTES / 2) break;
    kept.push(violation);
  }
  const left = fieldViolations.length - kept.length;
  const more = left > 0 ? [{ field: "", description: `There are ${left} more violations.` }] : [];
  return create(BadRequestSchema, { fieldViolations: [...kept, ...more] });
}

function shortened(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE) return text;
  return `${Buffer.from(text)
    .subarray(0, MAX_MESSAGE)
    .toString()
    .replace(/\uFFFD+$/, "")}…`;
}
