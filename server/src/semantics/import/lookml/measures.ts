import { nonEmptyFields } from "#base";
import type { Notes } from "../../files/notes.ts";
import type { Aggregation, Dataset, Measure } from "../../model/model.ts";
import { expressionMetric, type MetricParts, measuresByDataset } from "../expression-metric.ts";
import { countSynonyms, type OwnedName } from "../metric-names.ts";
import { withoutBroken } from "../without-broken.ts";
import { dimensionNames, lookmlDescribed, lookmlExpression } from "./fields.ts";
import { type LookmlNode, textOf } from "./parse-lookml.ts";

const AGGREGATIONS: Readonly<Record<string, Aggregation>> = {
  ...{ count: "count", count_distinct: "count_distinct", sum: "sum", average: "average" },
  ...{ min: "min", max: "max", median: "median", percentile: "percentile" },
};

const KEYS = new Set([
  "type",
  "sql",
  "label",
  "description",
  "hidden",
  "filters",
  "percentile",
  "value_format",
  "value_format_name",
  "group_label",
  "drill_fields",
  "tags",
  "link",
  "html",
  "approximate",
]);

/** Measures of views become metrics. */
export function readMeasures(
  views: readonly LookmlNode[],
  datasets: readonly Dataset[],
  nameOf: (measure: OwnedName) => string,
  notes: Notes,
) {
  const parts = views.flatMap((view) =>
    view.children
      .filter(({ key }) => key === "measure")
      .flatMap((node) => readMeasure(node, view, { views, datasets, nameOf, notes }) ?? []),
  );
  const placeOf = (name: string) =>
    views.flatMap((view) =>
      view.children.filter((node) => node.key === "measure" && nameOf({ owner: view.name, name: node.name }) === name),
    )[0];
  const metrics = parts.flatMap((part) => part.metrics);
  return {
    metrics: withoutBroken(metrics, placeOf, notes),
    measures: measuresByDataset(parts.flatMap((part) => part.measures)),
  };
}

interface Known {
  readonly views: readonly LookmlNode[];
  readonly datasets: readonly Dataset[];
  readonly nameOf: (measure: OwnedName) => string;
  readonly notes: Notes;
}

function readMeasure(node: LookmlNode, view: LookmlNode, known: Known): MetricParts | undefined {
  const { nameOf, notes } = known;
  const what = `measure ${view.name}.${node.name}`;
  for (const child of node.children) if (!KEYS.has(child.key)) notes.add(child, `${what}: ${child.key} is not carried`);
  const leaveOut = (why: string) => void notes.add(node, `${what} is left out: ${why}`);
  const type = textOf(node, "type") ?? "string";
  const name = nameOf({ owner: view.name, name: node.name });
  const hidden = textOf(node, "hidden") === "yes";
  const described = { name, ...lookmlDescribed(node), ...nonEmptyFields({ hidden }) };
  if (type === "number")
    return (
      numberMetric(node, view, described, known) ??
      leaveOut(`${textOf(node, "sql")} is more than arithmetic over measures of views`)
    );
  const aggregation = AGGREGATIONS[type];
  if (!aggregation) return leaveOut(`type ${type} is not carried`);
  const sql = textOf(node, "sql");
  const names = dimensionNames(view);
  const expr =
    sql &&
    lookmlExpression(sql, view.name, (field, of) =>
      of === view.name && names.has(field) ? `\${${names.get(field)}}` : undefined,
    );
  if (sql ? !expr : aggregation !== "count") return leaveOut("its sql is not over columns and dimensions of its view");
  const filter = filtersOf(node, view, known);
  if (filter === undefined) return leaveOut("a filter is none of yes, no and plain values of its view");
  const percentile = Number(textOf(node, "percentile") ?? 50) / 100;
  const measure: Measure = {
    name: node.name,
    aggregation,
    ...nonEmptyFields({ expr }),
    ...(filter !== "" && { filter }),
    ...(aggregation === "percentile" && { percentile }),
  };
  const isRowCount = aggregation === "count" && !expr && filter === "";
  return {
    measures: [{ dataset: view.name, measure }],
    metrics: [
      {
        ...described,
        ...(isRowCount && { synonyms: countSynonyms(view.name) }),
        kind: "simple",
        measure: `${view.name}.${node.name}`,
      },
    ],
  };
}

/** `[status: "complete,paid", is_new: "yes"]` as a condition; undefined for other filter expressions, which are a language of their own. */
function filtersOf(node: LookmlNode, view: LookmlNode, { datasets }: Known): string | undefined {
  const written = node.children.filter(({ key }) => key === "filters");
  const pairs = written.flatMap(({ items = [], children }) => [
    ...items,
    ...(children.length > 0
      ? [
          {
            key: children.find(({ key }) => key === "field")?.text ?? "",
            text: children.find(({ key }) => key === "value")?.text ?? "",
          },
        ]
      : []),
  ]);
  const conditions = pairs.map(({ key = "", text }) => {
    const [field = "", other] = key.split(".").toReversed();
    const dimension = datasets.find(({ name }) => name === view.name)?.dimensions.find(({ name }) => name === field);
    if (!dimension || (other !== undefined && other !== view.name)) return undefined;
    if (dimension.type === "boolean") return { yes: `\${${field}}`, no: `NOT \${${field}}` }[text.toLowerCase()];
    const values = text.split(",").map((value) => value.trim());
    if (dimension.type === "number")
      return values.every((value) => /^-?\d+(\.\d+)?$/.test(value))
        ? `\${${field}} IN (${values.join(", ")})`
        : undefined;
    const isPlain =
      dimension.type === "text" &&
      values.every((value) => /^[\p{L}\p{N}][\p{L}\p{N} _.&/-]*$/u.test(value) && !/^(null|empty|not)\b/i.test(value));
    return isPlain ? `\${${field}} IN (${values.map((value) => `'${value}'`).join(", ")})` : undefined;
  });
  if (conditions.some((condition) => condition === undefined)) return undefined;
  return conditions.map((condition) => (conditions.length > 1 ? `(${condition})` : condition)).join(" AND ");
}

function numberMetric(
  node: LookmlNode,
  view: LookmlNode,
  described: { readonly name: string; readonly hidden?: boolean },
  { views, nameOf }: Known,
): MetricParts | undefined {
  const names = new Set<string>();
  const expr = lookmlExpression(textOf(node, "sql") ?? "", view.name, (field, of) => {
    const owner = views.find(({ name }) => name === of);
    if (owner?.children.some(({ key, name }) => key === "measure" && name === field)) {
      const name = nameOf({ owner: of, name: field });
      names.add(name);
      return name;
    }
    const own = owner === view ? dimensionNames(view).get(field) : undefined;
    return own && `\${${own}}`;
  });
  if (expr === undefined) return undefined;
  return expressionMetric({
    ...described,
    expr,
    isMetric: (name) => names.has(name),
    measured: (inner) => ({ dataset: view.name, ...(inner !== undefined && { expr: inner }) }),
  });
}
