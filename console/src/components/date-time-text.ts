/** A point in time as this browser's place writes it, with seconds if asked for. */
export function dateTimeText(time: Date, { seconds = false }: { readonly seconds?: boolean } = {}): string {
  return time.toLocaleString(undefined, { dateStyle: "medium", timeStyle: seconds ? "medium" : "short" });
}
