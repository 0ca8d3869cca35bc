import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** A time as milliseconds since the epoch, with their parts; 0 when there is none. */
export function milliseconds(time: Timestamp | undefined): number {
  return time ? Number(time.seconds) * 1_000 + time.nanos / 1e6 : 0;
}
