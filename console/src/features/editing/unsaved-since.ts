import { dateTimeText } from "../../components/date-time-text.ts";

/** What is said before the names of unsaved changes; `time`: when they were made, if in an earlier visit. */
export function unsavedSince(time: number | undefined): string {
  if (time === undefined) return "Unsaved changes:";
  return `Unsaved since ${dateTimeText(new Date(time))}:`;
}
