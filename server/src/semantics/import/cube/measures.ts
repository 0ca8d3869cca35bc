import { definedFields, nonEmptyFields } from "#base";
import { type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import { type Aggregation, type Dataset, type Measure, type TimeSpan, UNITS } from "../../model/model.ts";
import { expressionMetric, type MetricParts, measuresByDataset } from "../expression-metric.ts";
import { countSynonyms, type OwnedName } from "../metric-names.ts";
import { withoutBroken } from "../without-broken.ts";
import { cubeDescribed, replaceMembers, rowExpression } from "./members.ts";

const AGGREGATIONS: Readonly<Record<string, Aggregation>> = {
  ...{ count: "count", count_distinct: "count_distinct", count_distinct_approx: "count_distinct" },
  ...{ sum: "sum", avg: "average", min: "min", max: "max" },
};

const KEYS = [
  "name",
  "sql",
  "type",
  "title",
  "description",
  "filters",
  "rolling_window",
  "public",
  "shown",
  "format",
  "drill_members",
  "meta",
];

/** Measures become metrics: aggregates, running windows, and numbers computed from others. */
export function readMeasures(
  cubes: readonly Located[],
  datasets: readonly Dataset[],
  nameOf: (measure: OwnedName) => string,
  notes: Notes,
) {
  const parts = cubes.flatMap((cube) =>
    (cube.get("measures")?.items() ?? []).flatMap(
      (node) => readMeasure(node, cube, cubes, datasets, nameOf, notes) ?? [],
    ),
  );
  const placeOf = (name: string) => {
    for (const cube of cubes)
      for (const node of cube.get("measures")?.items() ?? [])
        if (nameOf({ owner: textAt(cube, "name") ?? "", name: textAt(node, "name") ?? "" }) === name) return node;
    return undefined;
  };
  const metrics = parts.flatMap((part) => part.metrics);
  return {
    metrics: withoutBroken(metrics, placeOf, notes),
    measures: measuresByDataset(parts.flatMap((part) => part.measures)),
  };
}

function readMeasure(
  node: Located,
  cube: Located,
  cubes: readonly Located[],
  datasets: readonly Dataset[],
  nameOf: (measure: OwnedName) => string,
  notes: Notes,
): MetricParts | undefined {
  const [owner = "", own = "", type = ""] = [textAt(cube, "name"), textAt(node, "name"), textAt(node, "type")];
  const what = `measure ${owner}.${own}`;
  notes.unread(
    node,
    KEYS.filter((key) => !["format", "drill_members", "meta"].includes(key)),
    what,
  );
  const leaveOut = (why: string) => void notes.add(node, `${what} is left out: ${why}`);
  const hidden = node.get("public")?.value === false || node.get("shown")?.value === false;
  const name = nameOf({ owner, name: own });
  const described = { name, ...cubeDescribed(node), ...nonEmptyFields({ hidden }) };
  if (node.get("multi_stage")?.value) return leaveOut("multi_stage is not carried");
  if (type === "number") {
    if (node.get("filters")?.value) return leaveOut("filters of a number are not carried");
    return (
      numberMetric(node, { owner, described, cubes, nameOf }) ??
      leaveOut(`${textAt(node, "sql")} is more than arithmetic over measures and aggregates of its cube`)
    );
  }
  const aggregation = AGGREGATIONS[type];
  if (!aggregation) return leaveOut(`type ${type} is not carried`);
  if (type === "count_distinct_approx") notes.add(node, `${what}: it is counted exactly`);
  const measure = aggregate(node, cube, aggregation);
  if (typeof measure === "string") return leaveOut(measure);
  const reference = `${owner}.${own}`;
  const parts = { measures: [{ dataset: owner, measure: { ...measure, name: own } }] };
  const window = node.get("rolling_window");
  if (window) {
    const span = rollingWindow(window);
    const time = datasets.find((dataset) => dataset.name === owner)?.timeDimension;
    if (!span || !time)
      return leaveOut(
        span
          ? "its cube has no single time dimension for rolling_window"
          : "its rolling_window is not a window that ends with the period",
      );
    return { ...parts, metrics: [{ ...described, kind: "cumulative", measure: reference, ...span }] };
  }
  const isRowCount = aggregation === "count" && measure.expr === undefined && measure.filter === undefined;
  return {
    ...parts,
    metrics: [
      { ...described, ...(isRowCount && { synonyms: countSynonyms(owner) }), kind: "simple", measure: reference },
    ],
  };
}

/** The measure, or why it cannot be carried. */
function aggregate(node: Located, cube: Located, aggregation: Aggregation): Omit<Measure, "name"> | string {
  const sql = textAt(node, "sql");
  const expr = sql === undefined ? undefined : rowExpression(sql, cube);
  if (sql !== undefined && expr === undefined) return "its sql is not over columns of its own cube";
  if (sql === undefined && aggregation !== "count") return "it has no sql";
  const filters = (node.get("filters")?.items() ?? []).map((filter) =>
    rowExpression(textAt(filter, "sql") ?? "", cube),
  );
  if (filters.some((filter) => filter === undefined)) return "a filter is not over columns of its own cube";
  const filter = filters.map((one) => (filters.length > 1 ? `(${one})` : one)).join(" AND ");
  return { aggregation, ...definedFields({ expr }), ...(filter !== "" && { filter }) };
}

/** A window that ends with the period; undefined for others. */
function rollingWindow(node: Located): { readonly window?: TimeSpan } | undefined {
  const [trailing, leading, offset] = [textAt(node, "trailing"), textAt(node, "leading"), textAt(node, "offset")];
  if (leading || (offset && offset !== "end")) return undefined;
  if (trailing === "unbounded") return {};
  const [count, written = ""] = trailing?.split(/\s+/) ?? [];
  const unit = UNITS.find((one) => one === written.replace(/s$/, ""));
  return unit && Number(count) > 0 ? { window: { count: Number(count), unit } } : undefined;
}

interface Numbers {
  readonly owner: string;
  readonly described: { readonly name: string; readonly hidden?: boolean };
  readonly cubes: readonly Located[];
  readonly nameOf: (measure: OwnedName) => string;
}

function numberMetric(node: Located, { owner, described, cubes, nameOf }: Numbers): MetricParts | undefined {
  const membersOf = (cube: string, kind: "measures" | "dimensions") =>
    (
      cubes
        .find((one) => textAt(one, "name") === cube)
        ?.get(kind)
        ?.items() ?? []
    ).map((one) => textAt(one, "name"));
  const names = new Set<string>();
  const expr = replaceMembers(textAt(node, "sql") ?? "", owner, ({ cube = owner, column, member = "" }) => {
    if (column !== undefined) return cube === owner ? column : undefined;
    if (membersOf(cube, "measures").includes(member)) {
      const name = nameOf({ owner: cube, name: member });
      names.add(name);
      return name;
    }
    return cube === owner && membersOf(cube, "dimensions").includes(member) ? `\${${member}}` : undefined;
  });
  if (expr === undefined) return undefined;
  return expressionMetric({
    ...described,
    expr,
    isMetric: (name) => names.has(name),
    measured: (inner) => ({ dataset: owner, ...(inner !== undefined && { expr: inner }) }),
  });
}
