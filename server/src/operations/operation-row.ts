import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { AnySchema, anyPack } from "@bufbuild/protobuf/wkt";
import { type Operation, OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import type { ConnectError } from "#status";
import type { OperationRow } from "#storage";

/** A stored operation as `google.longrunning.Operation`. */
export function toOperation(row: OperationRow): Operation {
  return create(OperationSchema, {
    name: row.name,
    done: row.done,
    ...(row.metadata.length > 0 && { metadata: fromBinary(AnySchema, row.metadata) }),
    ...(row.done && { result: toResult(row) }),
  });
}

function toResult(row: OperationRow): Operation["result"] {
  if (row.error.length > 0) return { case: "error", value: fromBinary(StatusSchema, row.error) };
  return { case: "response", value: fromBinary(AnySchema, row.response) };
}

/** Binary `Any` of a result. An empty message is stored too: a finished operation always has a response or an error. */
export function packResponse<O extends DescMessage>(desc: O, response: MessageInitShape<O>): Uint8Array {
  return toBinary(AnySchema, anyPack(desc, create(desc, response)));
}

/** Binary `google.rpc.Status` of a refusal, with its details. The numbers of the codes are the same. */
export function packError(refusal: ConnectError): Uint8Array {
  const details = refusal.details.map((detail) =>
    "desc" in detail
      ? anyPack(detail.desc, create(detail.desc, detail.value))
      : create(AnySchema, { typeUrl: `type.googleapis.com/${detail.type}`, value: detail.value }),
  );
  return toBinary(StatusSchema, create(StatusSchema, { code: refusal.code, message: refusal.rawMessage, details }));
}
