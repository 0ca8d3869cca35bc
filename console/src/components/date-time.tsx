import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { dateTimeText } from "./date-time-text.ts";

interface DateTimeProps {
  readonly time: Timestamp | Date | undefined;
  /** Whether seconds are shown. Default false. */
  readonly seconds?: boolean;
}

/** A point in time as this browser's place writes it; the pointer shows seconds and the time zone, for people elsewhere. */
export function DateTime({ time, seconds = false }: DateTimeProps) {
  if (!time) return null;
  const date = time instanceof Date ? time : timestampDate(time);
  return (
    <time
      dateTime={date.toISOString()}
      className="date-time"
      title={date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })}
    >
      {dateTimeText(date, { seconds })}
    </time>
  );
}
