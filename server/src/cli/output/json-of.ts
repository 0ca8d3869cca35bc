import { createRegistry, type DescMessage, type JsonObject, type MessageShape, toJson } from "@bufbuild/protobuf";
import { file_google_rpc_error_details } from "@frontdesk/protos/google/rpc/error_details";

/** Details of errors, which operations and runs that failed have. */
const registry = createRegistry(file_google_rpc_error_details);

/** A message as the API's JSON. */
export function jsonOf<Schema extends DescMessage>(schema: Schema, message: MessageShape<Schema>): JsonObject {
  return toJson(schema, message, { registry }) as JsonObject;
}
