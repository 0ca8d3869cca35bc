import { create, createRegistry } from "@bufbuild/protobuf";
import { AnySchema, anyPack, anyUnpack } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "@frontdesk/protos/google/rpc/error_details";
import { type Status, StatusSchema } from "@frontdesk/protos/google/rpc/status";

const DETAILS = createRegistry(file_google_rpc_error_details);

/** The `google.rpc.Status` of an error, with its details. Connect's codes have the same numbers. */
export function toRpcStatus(error: ConnectError): Status {
  const details = error.details.map((detail) =>
    "desc" in detail
      ? anyPack(detail.desc, create(detail.desc, detail.value))
      : create(AnySchema, { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value }),
  );
  return create(StatusSchema, { code: error.code, message: error.rawMessage, details });
}

/** The error that a `google.rpc.Status` stands for, with those of its details that `error_details.proto` defines. */
export function fromRpcStatus({ code, message, details }: Status): ConnectError {
  const known = details.flatMap((any) => {
    const value = anyUnpack(any, DETAILS);
    const desc = value && DETAILS.getMessage(value.$typeName);
    return desc ? [{ desc, value }] : [];
  });
  return new ConnectError(message, code, undefined, known);
}
