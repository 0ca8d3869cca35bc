import type { DescMessage } from "@bufbuild/protobuf";
import { MAX_VALUES } from "#aip";
import { hasMoreJsonValues } from "#base";

/** Most values of a message of the A2A protocol: enough for a thousand parts and for as much data as agents read, of which protobuf makes two fields a value (A2A-9). */
export const MAX_A2A_VALUES = 30_000;

/** Most values of a message of this type. */
export function maxValuesOf({ file }: DescMessage): number {
  return file.proto.package === "lf.a2a.v1" ? MAX_A2A_VALUES : MAX_VALUES;
}

/** The fields of both APIs that are masks: one text in JSON, with a path after each comma. */
const MASKS: ReadonlySet<string> = new Set(["update_mask", "updateMask", "field_mask", "fieldMask"]);

/** Whether a message in JSON has more values than can be decoded at once. */
export function hasTooManyJsonValues(body: Uint8Array, most = MAX_VALUES): boolean {
  return hasMoreJsonValues(body, most, MASKS);
}
