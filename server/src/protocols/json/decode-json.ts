import type { DescMessage, Message, Registry as TypeRegistry } from "@bufbuild/protobuf";
import { readMessage } from "#aip";
import type { JsonValue } from "#base";
import { ConnectError, invalidArgument } from "#status";
import { hasImpossibleTime } from "./impossible-times.ts";
import { inspectJson } from "./inspect-json.ts";

interface JsonDecoderOptions {
  /** Reject fields that the message does not have, as Google does. Otherwise they are ignored, because newer clients send them. */
  readonly strict: boolean;
}

/** Decodes a message from JSON. Throws INVALID_ARGUMENT with all violations, in Google's wording. */
export type JsonDecoder = (type: DescMessage, json: JsonValue) => Message;

/**
 * Valid input takes one pass. Only input that fails is inspected: names that the message lacks, values of the wrong type (unknown enum
 * names among them, which a lenient decoder would drop silently), times that do not exist, objects instead of lists.
 */
export function createJsonDecoder(types: TypeRegistry, { strict }: JsonDecoderOptions): JsonDecoder {
  return (type, json) => {
    try {
      if (!hasImpossibleTime(type, json)) return readMessage(type, json, { registry: types });
    } catch {
      // The decoder stops at the first violation; the inspection finds them all.
    }
    const violations = inspectJson(type, json, types, strict);
    if (violations.length > 0) throw invalidArgument(violations);
    return decodeLeniently(type, json, types);
  };
}

/** Ignores fields that no definition has: clients send some (SESS-6). */
function decodeLeniently(type: DescMessage, json: JsonValue, types: TypeRegistry): Message {
  try {
    return readMessage(type, json, { registry: types, ignoreUnknownFields: true });
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    // A violation of no single field, e.g. two members of one oneof.
    throw invalidArgument({ field: "", description: `Invalid JSON payload received. ${(error as Error).message}` });
  }
}
