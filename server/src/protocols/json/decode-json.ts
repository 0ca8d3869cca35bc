import { type DescMessage, fromJson, type Message, type Registry as TypeRegistry } from "@bufbuild/protobuf";
import type { JsonValue } from "#base";
import { invalidArgument } from "#status";
import { inspectJson } from "./inspect-json.ts";

export interface JsonDecoderOptions {
  /** Refuse fields that the message does not have, as Google does. Otherwise they are ignored, since newer clients send them. */
  readonly strict: boolean;
}

/** Reads messages from JSON. Throws INVALID_ARGUMENT with every fault at once, in Google's words. */
export type JsonDecoder = (type: DescMessage, json: JsonValue) => Message;

/**
 * One pass over sound input. Only what fails is looked at closely: names that the message lacks, values that do not fit
 * (unknown enum names among them, which a lenient reader would drop without a word), masks in snake_case, objects for lists.
 */
export function createJsonDecoder(types: TypeRegistry, { strict }: JsonDecoderOptions): JsonDecoder {
  return (type, json) => {
    try {
      return fromJson(type, json, { registry: types });
    } catch {
      // The reader stops at the first fault and names it in its own words; the inspection finds them all.
      const { unknown, invalid } = inspectJson(type, json, types);
      const refused = strict ? [...unknown, ...invalid] : invalid;
      if (refused.length > 0) throw invalidArgument(refused);
      return readLeniently(type, json, types);
    }
  };
}

function readLeniently(type: DescMessage, json: JsonValue, types: TypeRegistry): Message {
  try {
    return fromJson(type, json, { registry: types, ignoreUnknownFields: true });
  } catch (error) {
    // What no single field shows, e.g. two members of one oneof.
    throw invalidArgument({ field: "", description: `Invalid JSON payload received. ${(error as Error).message}` });
  }
}
