import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** A point in time as this browser's place writes it. */
export function DateTime({ time }: { readonly time: Timestamp | undefined }) {
  if (!time) return null;
  const date = new Date(Number(time.seconds) * 1_000 + time.nanos / 1e6);
  return (
    <time dateTime={date.toISOString()} className="date-time">
      {date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
