import {
  clone,
  create,
  createRegistry,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { AnySchema, anyPack, anyUnpack, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { file_google_cloud_ces_v1beta_agent_service } from "@frontdesk/protos/ces/agent_service";
import { file_google_cloud_ces_v1beta_evaluation_service } from "@frontdesk/protos/ces/evaluation_service";
import { file_google_cloud_geminidataanalytics_v1beta_data_agent_service } from "@frontdesk/protos/gda/data_agent_service";
import { type Operation, OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { StatusSchema } from "@frontdesk/protos/google/rpc/status";
import { aborted, type ConnectError, toRpcStatus } from "#status";
import type { OperationRow, OperationState } from "#storage";
import type { StoredJob } from "./contract.ts";

/** A stored operation as `google.longrunning.Operation`. */
export function toOperation(row: OperationRow): Operation {
  return create(OperationSchema, {
    name: row.name,
    done: row.done,
    metadata: row.metadata.length > 0 ? fromBinary(AnySchema, row.metadata) : undefined,
    result: row.done ? toResult(row) : undefined,
  });
}

/** A stored operation as a job. */
export function toJob(row: OperationRow, maxAttempts: number): StoredJob {
  const { name, kind, subject, createTime, attempts, dueTime, error, lastError } = row;
  const failure = error.length > 0 ? error : lastError;
  return {
    ...{ name, kind, subject, createTime, attempts, maxAttempts },
    dueTime: attempts > 0 ? dueTime : undefined,
    state: stateOf(row),
    error: failure.length > 0 ? fromBinary(StatusSchema, failure) : undefined,
  };
}

function stateOf({ done, dueTime, error, isDead }: OperationRow): OperationState {
  if (!done) return dueTime === undefined ? "running" : "waiting";
  if (isDead) return "dead";
  return error.length > 0 ? "failed" : "succeeded";
}

function toResult(row: OperationRow): Operation["result"] {
  if (row.error.length > 0) return { case: "error", value: fromBinary(StatusSchema, row.error) };
  return { case: "response", value: fromBinary(AnySchema, row.response) };
}

/** Binary `Any` of a result. An empty message has bytes too: a finished operation always has a response or an error. */
export function packResponse<O extends DescMessage>(desc: O, response: MessageInitShape<O>): Uint8Array {
  return toBinary(AnySchema, anyPack(desc, create(desc, response)));
}

/** Binary `google.rpc.Status` of an error, with its details. */
export function packError(error: ConnectError): Uint8Array {
  return toBinary(StatusSchema, toRpcStatus(error));
}

/** The metadata types that `google.longrunning.operation_info` names are in these files: those with long-running methods. */
const METADATA_TYPES = createRegistry(
  file_google_cloud_ces_v1beta_agent_service,
  file_google_cloud_ces_v1beta_evaluation_service,
  file_google_cloud_geminidataanalytics_v1beta_data_agent_service,
);

/** The three fields that operation metadata messages have in common, where they have them. */
export interface OperationStamps {
  /** Milliseconds since the epoch. */
  readonly createTime?: number;
  readonly endTime?: number;
  readonly requestedCancellation?: boolean;
}

/** Binary `Any` of a metadata message, with the stamps in its `create_time`, `end_time` and `requested_cancellation`. */
export function packMetadata(metadata: Message, stamps: OperationStamps): Uint8Array {
  const desc = METADATA_TYPES.getMessage(metadata.$typeName);
  if (!desc) throw new Error(`the metadata type ${metadata.$typeName} is not registered`);
  return toBinary(AnySchema, anyPack(desc, stamped(desc, metadata, stamps)));
}

/** The same for metadata that is packed already. Empty metadata, or of a type that is not registered, stays as it is. */
export function restampMetadata(packed: Uint8Array, stamps: OperationStamps): Uint8Array {
  const metadata = unpackMetadata(packed);
  return metadata ? packMetadata(metadata, stamps) : packed;
}

/** The metadata of an operation; undefined when it is empty or of a type that is not registered. */
export function unpackMetadata(packed: Uint8Array): Message | undefined {
  if (packed.length === 0) return undefined;
  return anyUnpack(fromBinary(AnySchema, packed), METADATA_TYPES);
}

/** The metadata of an operation that is begun again: it has not ended, and nobody asked to cancel it. */
export function reopenedMetadata(packed: Uint8Array): Uint8Array {
  const metadata = unpackMetadata(packed);
  const desc = metadata && METADATA_TYPES.getMessage(metadata.$typeName);
  if (!desc) return packed;
  const copy = reflect(desc, metadata);
  for (const field of desc.fields)
    if (field.name === "end_time" || CANCELLATION_FIELDS.has(field.name)) copy.clear(field);
  return toBinary(AnySchema, anyPack(desc, copy.message));
}

/** The error of an operation that ran when its server stopped, and cannot be begun again. */
export function lostError({ kind }: OperationRow): Uint8Array {
  const message = `The server stopped while this operation (${kind}) was running, so it did not finish. Start it again.`;
  return packError(aborted(message, { reason: "SERVER_STOPPED" }));
}

/** An operation that failed without its work. */
export function endedRow(row: OperationRow, error: Uint8Array, endTime: number): OperationRow {
  return { ...row, done: true, metadata: restampMetadata(row.metadata, { endTime }), error };
}

function stamped(desc: DescMessage, metadata: Message, stamps: OperationStamps): Message {
  const copy = reflect(desc, clone(desc, metadata));
  for (const field of desc.fields) {
    if (field.fieldKind === "message" && field.message.typeName === "google.protobuf.Timestamp") {
      const time = timeFor(field.name, stamps);
      if (time !== undefined) copy.set(field, reflect(field.message, timestampFromMs(Math.floor(time))));
    } else if (field.fieldKind === "scalar" && CANCELLATION_FIELDS.has(field.name) && stamps.requestedCancellation) {
      copy.set(field, true);
    }
  }
  return copy.message;
}

/** What the metadata messages of the API call a requested cancellation. */
const CANCELLATION_FIELDS = new Set(["requested_cancellation", "cancel_requested"]);

function timeFor(field: string, { createTime, endTime }: OperationStamps): number | undefined {
  if (field === "create_time") return createTime;
  return field === "end_time" ? endTime : undefined;
}
