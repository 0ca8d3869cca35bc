import type { Notes } from "../files/notes.ts";
import { inputsOf } from "../model/find.ts";
import type { Metric } from "../model/model.ts";

type Place = Parameters<Notes["add"]>[0];

/** Leaves out metrics that are made of missing ones, until all are whole: one may be made of one that was just left out. */
export function withoutBroken(
  metrics: readonly Metric[],
  placeOf: (name: string) => Place | undefined,
  notes: Notes,
): readonly Metric[] {
  const names = new Set(metrics.map(({ name }) => name));
  const whole = metrics.filter((metric) => {
    const missing = inputsOf(metric).find((input) => !names.has(input.metric));
    const place = missing && placeOf(metric.name);
    if (missing && place) notes.add(place, `metric ${metric.name} is left out: ${missing.metric} is missing`);
    return !missing;
  });
  return whole.length === metrics.length ? whole : withoutBroken(whole, placeOf, notes);
}
