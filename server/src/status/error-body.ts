import { type AnyDesc, type DescMessage, toJson } from "@bufbuild/protobuf";
import { Code, type ConnectError } from "@connectrpc/connect";
import type { JsonObject } from "#base";

/** A status error in REST and MCP: `{"error": {"code", "message", "status", "details"}}`. */
export interface ErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly status: string;
    readonly details?: JsonObject[];
  };
}

/** Canonical name and HTTP status of each code, as google/rpc/code.proto maps them. */
const CODES: Readonly<Record<Code, readonly [name: string, http: number]>> = {
  [Code.Canceled]: ["CANCELLED", 499],
  [Code.Unknown]: ["UNKNOWN", 500],
  [Code.InvalidArgument]: ["INVALID_ARGUMENT", 400],
  [Code.DeadlineExceeded]: ["DEADLINE_EXCEEDED", 504],
  [Code.NotFound]: ["NOT_FOUND", 404],
  [Code.AlreadyExists]: ["ALREADY_EXISTS", 409],
  [Code.PermissionDenied]: ["PERMISSION_DENIED", 403],
  [Code.ResourceExhausted]: ["RESOURCE_EXHAUSTED", 429],
  [Code.FailedPrecondition]: ["FAILED_PRECONDITION", 400],
  [Code.Aborted]: ["ABORTED", 409],
  [Code.OutOfRange]: ["OUT_OF_RANGE", 400],
  [Code.Unimplemented]: ["UNIMPLEMENTED", 501],
  [Code.Internal]: ["INTERNAL", 500],
  [Code.Unavailable]: ["UNAVAILABLE", 503],
  [Code.DataLoss]: ["DATA_LOSS", 500],
  [Code.Unauthenticated]: ["UNAUTHENTICATED", 401],
};

/** The HTTP status of a status error. */
export function httpStatusOf(error: ConnectError): number {
  return CODES[error.code][1];
}

/** The canonical name of a code, e.g. `INVALID_ARGUMENT`. */
export function toGrpcStatusName(code: Code): string {
  return CODES[code][0];
}

/** A status error as Google's JSON error body, details with their `@type`. */
export function toErrorBody(error: ConnectError): ErrorBody {
  const [status, code] = CODES[error.code];
  const details = error.details.flatMap((detail) => ("desc" in detail ? [detailJson(detail.desc, detail.value)] : []));
  return { error: { code, message: error.rawMessage, status, ...(details.length > 0 && { details }) } };
}

function detailJson(desc: DescMessage & AnyDesc, value: unknown): JsonObject {
  // The constructors of this folder create the value with this very descriptor.
  const json = toJson(desc, value as never) as JsonObject;
  return { "@type": `type.googleapis.com/${desc.typeName}`, ...json };
}
