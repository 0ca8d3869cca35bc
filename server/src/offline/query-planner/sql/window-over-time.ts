import type { Group } from "./parts.ts";

/** Rows in the order of time, within each of the other ways to group. */
export function windowOverTime(groups: readonly Group[], time: Group): string {
  const others = groups.filter((group) => group !== time).flatMap(({ by }) => by);
  const within = others.length > 0 ? `PARTITION BY ${others.join(", ")} ` : "";
  return `(${within}ORDER BY ${time.text})`;
}
