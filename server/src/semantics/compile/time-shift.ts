import { isTime, timeOf } from "../model/find.ts";
import type { ModelGrain, TimeSpan, TimeUnit } from "../model/model.ts";
import { type DimensionCondition, METRIC_TIME, type ModelQuery } from "../query/model-query.ts";
import type { ModelDialect } from "./dialect.ts";
import type { CompileContext } from "./joined-rows.ts";
import type { Leaf, TimeShift } from "./resolve-metrics.ts";

/** Days of a query: from one, inclusive, to another, exclusive; a missing end is open. */
interface Days {
  readonly from?: string;
  readonly to?: string;
}

/** How rows of other times come to the units of time that a query groups by. */
interface ShiftedTime {
  readonly unit: TimeUnit;
  /** Position of the time among the groupings. */
  readonly position: number;
  /** Whether a condition is about the units, not the rows. */
  isAboutTime(condition: DimensionCondition): boolean;
  /** The rows of a unit `s.p`, as a condition on the day `r.t`. */
  readonly rows: string;
  /** Which units are shown, as a condition on `s.p`; "" for all. */
  readonly shown: string;
}

/** Reads the time of a query for measures that are shifted (SEM-4); a fault, and undefined, where they cannot be. */
export function shiftedTime(
  leaf: Leaf,
  shift: TimeShift,
  query: ModelQuery,
  context: CompileContext,
): ShiftedTime | undefined {
  const { fault, dialect, model } = context;
  const time = timeOf(model, leaf);
  const own = `${time?.dataset.name}.${time?.dimension.name}`;
  const isOwn = ({ dimension, via }: { dimension: string; via?: string | undefined }) =>
    dimension === METRIC_TIME || (dimension === own && via === undefined);
  const positions = query.groupBy.flatMap((grouping, at) => (isOwn(grouping) ? [at] : []));
  const [position = 0] = positions;
  const grain = query.groupBy[position]?.grain;
  if (!time || !isTime(time.dimension)) return void fault(`${leaf.metric}: ${leaf.measure.name} has no time dimension`);
  if (positions.length !== 1 || !grain)
    return void fault(`${leaf.metric} compares times: group by ${METRIC_TIME} or ${own} once, with a grain`);
  if (grain === "hour") return void fault(`${leaf.metric} compares times, which is possible from days on, not by hour`);
  const days = daysOf(query.where.filter(isOwn), leaf.metric, context);
  const misfit = alignmentFault(shift, grain, days);
  if (misfit) return void fault(`${leaf.metric}: ${misfit}`);
  return {
    unit: grain,
    position,
    isAboutTime: isOwn,
    rows: rowsOf(shift, grain, days, dialect),
    shown: [
      ...(days.from ? [`${dialect.add("s.p", 1, grain)} > ${dialect.date(days.from)}`] : []),
      ...(days.to ? [`s.p < ${dialect.date(days.to)}`] : []),
    ].join(" AND "),
  };
}

function rowsOf(shift: TimeShift, unit: TimeUnit, { to }: Days, dialect: ModelDialect): string {
  const next = dialect.add("s.p", 1, unit);
  const end = to ? dialect.least(next, dialect.date(to)) : next;
  switch (shift.kind) {
    case "cumulative": {
      if (shift.window) {
        const { count, unit: of } = shift.window;
        return `r.t >= ${dialect.add(end, -count, of)} AND r.t < ${end}`;
      }
      if (!shift.toDate) return `r.t < ${end}`;
      return `r.t >= ${dialect.truncate(shift.toDate, dialect.add(end, -1, "day"))} AND r.t < ${end}`;
    }
    case "offset": {
      const start = dialect.add("s.p", -shift.span.count, shift.span.unit);
      return `r.t >= ${start} AND r.t < ${dialect.add(start, 1, unit)}`;
    }
    case "offset-to": {
      const start = dialect.truncate(shift.unit, "s.p");
      return `r.t >= ${start} AND r.t < ${dialect.add(start, 1, unit)}`;
    }
  }
}

/** The days that conditions on the time leave. */
function daysOf(conditions: readonly DimensionCondition[], metric: string, { fault }: CompileContext): Days {
  let days: Days = {};
  for (const { operator, values } of conditions) {
    const [value = ""] = values.map(String);
    const range = rangeOf(operator, value);
    if (!range) {
      fault(`${metric} compares times: its time may be bounded by days (<, <=, >, >=, =), not by ${operator} ${value}`);
      continue;
    }
    days = {
      ...days,
      ...(range.from && (!days.from || range.from > days.from) && { from: range.from }),
      ...(range.to && (!days.to || range.to < days.to) && { to: range.to }),
    };
  }
  return days;
}

function rangeOf(operator: string, value: string): Days | undefined {
  const day = new Date(`${value}T00:00:00Z`);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(day.getTime())) return undefined;
  const next = new Date(day.getTime() + 86_400_000).toISOString().slice(0, 10);
  const ranges: Readonly<Record<string, Days>> = {
    "=": { from: value, to: next },
    ">=": { from: value },
    ">": { from: next },
    "<": { to: value },
    "<=": { to: next },
  };
  return ranges[operator];
}

/** Why values of another time would not be those of a whole unit. */
function alignmentFault(shift: TimeShift, grain: TimeUnit, days: Days): string | undefined {
  if (shift.kind === "cumulative") return undefined;
  const ends = [days.from, days.to].filter((day) => day !== undefined);
  if (ends.some((day) => !isStart(day, grain)))
    return `it is compared by ${grain}, so the time must begin and end with a whole ${grain}`;
  if (shift.kind === "offset") {
    const { count, unit } = shift.span;
    return isWhole(shift.span, grain)
      ? undefined
      : `${count} ${unit}s are no whole number of ${grain}s; ask by a finer grain`;
  }
  return isWhole({ count: 1, unit: shift.unit }, grain) ? undefined : `a ${shift.unit} does not begin with a ${grain}`;
}

const MONTHS: Readonly<Partial<Record<ModelGrain, number>>> = { month: 1, quarter: 3, year: 12 };
const DAYS: Readonly<Partial<Record<ModelGrain, number>>> = { day: 1, week: 7 };

function isWhole({ count, unit }: TimeSpan, grain: TimeUnit): boolean {
  if (grain === "day") return true;
  const units = MONTHS[unit] && MONTHS[grain] ? MONTHS : DAYS;
  const [whole, part] = [units[unit], units[grain]];
  return whole !== undefined && part !== undefined && (count * whole) % part === 0;
}

/** Whether a unit of the calendar begins on a day. */
function isStart(day: string, grain: TimeUnit): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  if (grain === "day") return true;
  if (grain === "week") return date.getUTCDay() === 1;
  return date.getUTCDate() === 1 && date.getUTCMonth() % (MONTHS[grain] ?? 1) === 0;
}
