import { definedFields } from "#base";
import type { Metric, ModelQuery } from "#semantics";
import { SHOP } from "./shop-model.ts";
import type { ShopRows } from "./shop-rows.ts";

/** A row with everything that is reached from it: `dataset.column`. */
type Row = Readonly<Record<string, string | number | boolean | null>>;
type Value = string | number | null;
type Grain = "day" | "week" | "month" | "quarter" | "year";
type Fact = "customers" | "orders" | "items" | "refunds";

const TIME: Readonly<Record<Fact, string>> = {
  customers: "",
  orders: "orders.placed_at",
  items: "orders.placed_at",
  refunds: "refunds.refunded_on",
};

/** How each measure is computed, written down a second time. */
const MEASURES: Readonly<Record<string, readonly [Fact, (rows: readonly Row[]) => Value]>> = {
  "orders.orders": ["orders", (rows) => rows.length],
  "orders.revenue": [
    "orders",
    (rows) => sum(rows.map((row) => Number(row["orders.amount"]) - Number(row["orders.discount"]))),
  ],
  "orders.paid_revenue": [
    "orders",
    (rows) => sum(rows.filter((row) => row["orders.status"] === "paid").map((row) => Number(row["orders.amount"]))),
  ],
  "orders.buyers": [
    "orders",
    (rows) => new Set(rows.map((row) => row["orders.customer_id"]).filter((id) => id !== null)).size,
  ],
  "orders.largest": [
    "orders",
    (rows) => (rows.length === 0 ? null : Math.max(...rows.map((row) => Number(row["orders.amount"])))),
  ],
  "orders.first_order": [
    "orders",
    (rows) => rows.map((row) => String(row["orders.placed_at"]).slice(0, 10)).toSorted()[0] ?? null,
  ],
  "orders.typical": ["orders", (rows) => median(rows.map((row) => Number(row["orders.amount"])))],
  "items.units": ["items", (rows) => sum(rows.map((row) => Number(row["items.quantity"])))],
  "refunds.refunds": ["refunds", (rows) => rows.length],
  "refunds.refunded": ["refunds", (rows) => sum(rows.map((row) => Number(row["refunds.amount"])))],
};

function sum(numbers: readonly number[]): Value {
  return numbers.length === 0 ? null : numbers.reduce((total, number) => total + number, 0);
}

function median(numbers: readonly number[]): Value {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

/** The groups that a query has, by their values, with the values of its metrics. */
export function bruteForce(rows: ShopRows, query: ModelQuery): ReadonlyMap<string, readonly Value[]> {
  const facts = {
    customers: prefixed("customers", rows.customers),
    orders: ordersOf(rows),
    items: [] as Row[],
    refunds: [] as Row[],
  };
  const orderOf = new Map(facts.orders.map((row) => [row["orders.id"], row]));
  facts.items = prefixed("items", rows.items).map((row) => ({
    ...orderOf.get(row["items.order_id"] as number),
    ...row,
  }));
  facts.refunds = prefixed("refunds", rows.refunds).map((row) => ({
    ...orderOf.get(row["refunds.order_id"] as number),
    ...row,
  }));
  const found: Evaluated[] = query.metrics.map((name) => evaluate(metricNamed(name), query, facts, { filters: [] }));
  const keys = new Set(found.flatMap(({ keys }) => [...keys]));
  if (query.groupBy.length === 0) keys.add("[]");
  const groups = [...keys].map((key) => [key, found.map(({ valueAt }) => valueAt(key))] as const);
  return new Map(
    groups.filter(([, values]) =>
      query.having.every(
        ({ metric, value }) =>
          Number(values[query.metrics.indexOf(metric)]) > value && values[query.metrics.indexOf(metric)] !== null,
      ),
    ),
  );
}

interface Evaluated {
  readonly keys: ReadonlySet<string>;
  readonly valueAt: (key: string) => Value;
}
interface Shift {
  readonly kind: "cumulative" | "offset" | "offset-to";
  readonly days?: number;
  readonly months?: number;
  readonly to?: Grain;
}
interface Inherited {
  readonly filters: readonly string[];
  readonly shift?: Shift;
}
type Facts = Readonly<Record<Fact, readonly Row[]>>;

function metricNamed(name: string): Metric {
  return SHOP.metrics.find((metric) => metric.name === name) as Metric;
}

function evaluate(metric: Metric, query: ModelQuery, facts: Facts, inherited: Inherited): Evaluated {
  const own = { ...inherited, filters: [...inherited.filters, ...(metric.filter ?? [])] };
  if (metric.kind === "simple") return filled(leaf(metric.measure, query, facts, own), metric.fill);
  if (metric.kind === "cumulative") {
    const { window, toDate } = metric;
    const shift: Shift = {
      kind: "cumulative",
      ...(window && { days: window.count }),
      ...definedFields({ to: toDate }),
    };
    return leaf(metric.measure, query, facts, { ...own, shift });
  }
  const inputs = metric.kind === "ratio" ? [metric.numerator, metric.denominator] : metric.inputs;
  const parts = inputs.map((input) => {
    const shift: Shift | undefined = input.offset
      ? { kind: "offset", months: input.offset.count }
      : input.offsetTo && { kind: "offset-to", to: input.offsetTo };
    return evaluate(metricNamed(input.metric), query, facts, shift ? { ...own, shift } : own);
  });
  const valueAt = (key: string): Value => {
    const [one = null, other = null] = parts.map((part) => part.valueAt(key));
    if (metric.name === "kept") return one === null ? null : Number(one) - Number(other ?? 0);
    if (one === null || other === null) return null;
    if (metric.kind === "ratio" || metric.name === "orders_per_buyer")
      return other === 0 ? null : Number(one) / Number(other);
    return Number(one) - Number(other);
  };
  return { keys: new Set(parts.flatMap(({ keys }) => [...keys])), valueAt };
}

function filled({ keys, valueAt }: Evaluated, fill: number | undefined): Evaluated {
  return { keys, valueAt: (key) => valueAt(key) ?? fill ?? null };
}

function leaf(measure: string, query: ModelQuery, facts: Facts, { filters, shift }: Inherited): Evaluated {
  const [fact, aggregate] = MEASURES[measure] ?? [];
  if (!fact || !aggregate) throw new Error(`no ${measure}`);
  const time = TIME[fact];
  const isTime = (dimension: string) => dimension === "metric_time" || dimension === time;
  const holds = (row: Row) =>
    filters.every(() => row["customers.vip"] === true) &&
    query.filters.every(({ negated }) => (row["orders.status"] === "cancelled") !== (negated ?? false));
  const conditions = query.where.map(({ dimension, operator, values }) => ({
    about: isTime(dimension),
    test: (row: Row) => fulfils(row[dimension === "metric_time" ? time : dimension] ?? null, operator, values),
  }));
  const kept = facts[fact].filter(
    (row) => holds(row) && conditions.every(({ about, test }) => (shift && about) || test(row)),
  );
  const groups = new Map<string, Row[]>();
  const put = (key: string, row: Row) => groups.set(key, [...(groups.get(key) ?? []), row]);
  const keyOf = (row: Row, unit?: string) =>
    JSON.stringify(
      query.groupBy.map(({ dimension, grain }) => {
        if (unit !== undefined && isTime(dimension)) return unit;
        const value = row[dimension === "metric_time" ? time : dimension] ?? null;
        return grain && value !== null ? startOf(String(value).slice(0, 10), grain as Grain) : value;
      }),
    );
  if (!shift) for (const row of kept) put(keyOf(row), row);
  else shifted(kept, query, shift, { time, isTime, put: (row, unit) => put(keyOf(row, unit), row) });
  const empty = aggregate([]);
  return {
    keys: new Set(groups.keys()),
    valueAt: (key) => (groups.has(key) ? aggregate(groups.get(key) ?? []) : empty),
  };
}

/** Each unit of time gets the rows that it needs. */
function shifted(
  kept: readonly Row[],
  query: ModelQuery,
  shift: Shift,
  {
    time,
    isTime,
    put,
  }: { time: string; isTime: (dimension: string) => boolean; put: (row: Row, unit: string) => void },
): void {
  const grain = query.groupBy.find(({ dimension }) => isTime(dimension))?.grain as Grain;
  const dated = kept.flatMap((row) => (row[time] === null ? [] : [{ row, day: String(row[time]).slice(0, 10) }]));
  const units = dated.map(({ day }) => startOf(day, grain)).toSorted();
  const bounds = query.where.filter(({ dimension }) => isTime(dimension));
  const [from = ""] = bounds.filter(({ operator }) => operator === ">=").map(({ values }) => String(values[0]));
  const [to = "9999-12-31"] = bounds.filter(({ operator }) => operator === "<").map(({ values }) => String(values[0]));
  for (let unit = units[0] ?? "9999"; unit <= (units.at(-1) ?? ""); unit = next(unit, grain)) {
    if (next(unit, grain) <= from || unit >= to) continue;
    const end = next(unit, grain) < to ? next(unit, grain) : to;
    const [first, last] = rangeOf(unit, end, grain, shift);
    for (const { row, day } of dated) if (day >= first && day < last) put(row, unit);
  }
}

function rangeOf(
  unit: string,
  end: string,
  grain: Grain,
  { kind, days, months = 0, to }: Shift,
): readonly [string, string] {
  if (kind === "cumulative") {
    if (days) return [addDays(end, -days), end];
    return [to ? startOf(addDays(end, -1), to) : "", end];
  }
  const start = kind === "offset" ? addMonths(unit, -months) : startOf(unit, to as Grain);
  return [start, next(start, grain)];
}

function fulfils(value: Value | boolean, operator: string, values: readonly unknown[]): boolean {
  const [wanted] = values;
  const own = typeof value === "string" && /^\d{4}-/.test(value) ? value.slice(0, 10) : value;
  if (operator === "!=") return own !== wanted;
  if (operator === "not in") return !values.includes(own);
  if (own === null) return operator === "is null";
  if (operator === "=") return own === wanted;
  if (operator === "in") return values.includes(own);
  if (operator === ">=") return own >= (wanted as string);
  if (operator === "<") return own < (wanted as string);
  return operator === "is not null";
}

function prefixed(name: string, rows: readonly object[]): Row[] {
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [`${name}.${key}`, value])));
}

function ordersOf(rows: ShopRows): Row[] {
  const customerOf = new Map(prefixed("customers", rows.customers).map((row) => [row["customers.id"], row]));
  return prefixed("orders", rows.orders).map((row) => ({
    ...customerOf.get(row["orders.customer_id"] as number),
    ...row,
  }));
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The same day of another month, or its last. */
function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10);
}

function next(day: string, grain: Grain): string {
  if (grain === "day" || grain === "week") return addDays(day, grain === "day" ? 1 : 7);
  return addMonths(day, { month: 1, quarter: 3, year: 12 }[grain]);
}

function startOf(day: string, grain: Grain): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (grain === "day") return day;
  if (grain === "week") return addDays(day, -((date.getUTCDay() + 6) % 7));
  const month = { month: date.getUTCMonth(), quarter: date.getUTCMonth() - (date.getUTCMonth() % 3), year: 0 }[grain];
  return new Date(Date.UTC(date.getUTCFullYear(), month, 1)).toISOString().slice(0, 10);
}
