import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** A point in time as this browser's place writes it. */
export function Moment({ time }: { readonly time: Timestamp | undefined }) {
  if (!time) return null;
  const date = new Date(Number(time.seconds) * 1_000 + time.nanos / 1e6);
  return (
    <time dateTime={date.toISOString()} className="moment">
      {date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })}
    </time>
  );
}
