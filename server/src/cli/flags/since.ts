import { CommandError } from "../command.ts";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The time that `--since` means: `30m`, `12h`, `7d`, or a date. Milliseconds since the epoch. */
export function sinceOf(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (UNITS_MS[unit] ?? 0);
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new CommandError(`--since is '${text}'; use e.g. 30m, 12h, 7d or 2026-11-23.`);
  return time;
}
