import { create } from "@bufbuild/protobuf";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";

const NANOS_PER_MS = 1_000_000;

/** Milliseconds of a duration with their fractions; 0 without one. */
export function millisecondsOf(duration: Pick<Duration, "seconds" | "nanos"> | undefined): number {
  return duration ? Number(duration.seconds) * 1_000 + duration.nanos / NANOS_PER_MS : 0;
}

/** A duration of 0 or more milliseconds, to the microsecond: fractions of a nanosecond cannot be written. */
export function durationOf(milliseconds: number): Duration {
  const micros = Math.round(milliseconds * 1_000);
  return create(DurationSchema, {
    seconds: BigInt(Math.floor(micros / 1_000_000)),
    nanos: (micros % 1_000_000) * 1_000,
  });
}
