import { type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ResourceRow } from "#storage";

/** What every resource message has, as far as its descriptor has it: the fields that this room handles by name. */
export interface Resource extends Message {
  name: string;
  displayName?: string;
  etag?: string;
  createTime?: Timestamp;
  updateTime?: Timestamp;
}

/** Times and parent that go into the columns beside a stored message. */
export interface RowFacts {
  readonly type: string;
  readonly parent: string;
  /** Milliseconds since the epoch. */
  readonly createTime: number;
  readonly updateTime: number;
  readonly etag: string;
}

/** The row that stores a resource. */
export function toRow(desc: DescMessage, resource: Resource, facts: RowFacts): ResourceRow {
  return { name: resource.name, displayName: resource.displayName ?? "", body: toBinary(desc, resource), ...facts };
}

/** The resource that a row stores. */
export function fromRow(desc: DescMessage, row: ResourceRow): Resource {
  return fromBinary(desc, row.body) as Resource;
}

/** Whether a message type has a field of this proto name. */
export function hasField(desc: DescMessage, name: string): boolean {
  return desc.fields.some((field) => field.name === name);
}

/** Sets those of etag, create and update time that the type has. Changes `resource`, which must be the caller's own copy. */
export function stamp(desc: DescMessage, resource: Resource, facts: Omit<RowFacts, "type" | "parent">): void {
  if (hasField(desc, "etag")) resource.etag = facts.etag;
  if (hasField(desc, "create_time")) resource.createTime = timestampFromFractionalMs(facts.createTime);
  if (hasField(desc, "update_time")) resource.updateTime = timestampFromFractionalMs(facts.updateTime);
}

/** A timestamp of milliseconds that may have a fraction, to the microsecond. */
export function timestampFromFractionalMs(ms: number): Timestamp {
  const whole = Math.floor(ms);
  const timestamp = timestampFromMs(whole);
  timestamp.nanos += Math.floor((ms - whole) * 1000) * 1000;
  return timestamp;
}
