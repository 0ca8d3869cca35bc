import type { Column } from "#warehouse";

/** Whether a column can be measured on an axis. */
export function isNumber({ type, mode }: Column): boolean {
  return mode !== "REPEATED" && ["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"].includes(type);
}

/** Whether a column can be an axis of time. */
export function isTime({ type, mode }: Column): boolean {
  return mode !== "REPEATED" && ["DATE", "DATETIME", "TIMESTAMP"].includes(type);
}

/** A column's name as a title. */
export function spoken(name: string): string {
  const words = name.replaceAll(/[_.]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
