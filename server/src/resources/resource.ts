import { isDeepStrictEqual } from "node:util";
import { type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { readLargeMessage, shallowCopy, writeLargeMessage } from "#aip";
import type { ResourceRow } from "#storage";

/** The common fields of resource messages; a type has those of its descriptor. */
export interface Resource extends Message {
  name: string;
  displayName?: string;
  etag?: string;
  createTime?: Timestamp;
  updateTime?: Timestamp;
}

/** The columns beside a stored message. */
interface RowMetadata {
  readonly type: string;
  readonly parent: string;
  /** Milliseconds since the epoch. */
  readonly createTime: number;
  readonly updateTime: number;
  readonly etag: string;
}

/** The row that stores a resource. */
export function toRow(desc: DescMessage, resource: Resource, facts: RowMetadata): ResourceRow {
  return { name: resource.name, displayName: resource.displayName ?? "", body: toBinary(desc, resource), ...facts };
}

/** The same for a resource that can be large; other calls run while it is written. */
export async function toLargeRow(desc: DescMessage, resource: Resource, facts: RowMetadata): Promise<ResourceRow> {
  const body = await writeLargeMessage(desc, resource);
  return { name: resource.name, displayName: resource.displayName ?? "", body, ...facts };
}

/** The resource that a row stores. */
export function fromRow(desc: DescMessage, row: ResourceRow): Resource {
  return fromBinary(desc, row.body) as Resource;
}

/** The same for a row that can be large; other calls run while it is read. */
export async function fromLargeRow(desc: DescMessage, row: ResourceRow): Promise<Resource> {
  return (await readLargeMessage(desc, row.body)) as Resource;
}

/** Whether a message type has a field of this proto name. */
export function hasField(desc: DescMessage, name: string): boolean {
  return desc.fields.some((field) => field.name === name);
}

/** Sets those of etag, create and update time that the type has. Changes `resource`, which must be the caller's own copy. */
export function stamp(desc: DescMessage, resource: Resource, facts: Omit<RowMetadata, "type" | "parent">): void {
  if (hasField(desc, "etag")) resource.etag = facts.etag;
  if (hasField(desc, "create_time")) resource.createTime = timestampFromFractionalMs(facts.createTime);
  if (hasField(desc, "update_time")) resource.updateTime = timestampFromFractionalMs(facts.updateTime);
}

/** Sets those of `created_by` and `last_updated_by` that the type has (EvaluationService's resources). Changes `resource`. */
export function stampAuthor(desc: DescMessage, resource: Resource, author: string, before: Resource | undefined): void {
  const fields = resource as Resource & { createdBy?: string; lastUpdatedBy?: string };
  if (hasField(desc, "created_by")) fields.createdBy = before ? ((before as typeof fields).createdBy ?? "") : author;
  if (hasField(desc, "last_updated_by")) fields.lastUpdatedBy = author;
}

/** A timestamp of milliseconds that may have a fraction, to the microsecond. */
export function timestampFromFractionalMs(ms: number): Timestamp {
  const whole = Math.floor(ms);
  const timestamp = timestampFromMs(whole);
  timestamp.nanos += Math.floor((ms - whole) * 1000) * 1000;
  return timestamp;
}

/** The message with output-only fields as computed: the same object when they are equal, so that unchanged rows are not written. */
export function withDerived<M extends Message>(message: M, fields: Partial<M>): M {
  const isSame = Object.entries(fields).every(([name, value]) => isDeepStrictEqual(value, message[name as keyof M]));
  return isSame ? message : Object.assign(shallowCopy(message), fields);
}
