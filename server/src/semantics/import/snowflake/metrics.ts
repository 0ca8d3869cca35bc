import { definedFields } from "#base";
import { namesOf, replaceNames } from "../../expression/qualified-names.ts";
import { type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dataset } from "../../model/model.ts";
import { expressionMetric, measuresByDataset } from "../expression-metric.ts";
import { withoutBroken } from "../without-broken.ts";
import { described, same } from "./names.ts";

/** A metric of a table, or of the whole view. */
interface Written {
  readonly node: Located;
  readonly table?: string;
  readonly own: string;
  /** As it is called in our model. */
  readonly name: string;
}

/** Metrics of tables (in older files called measures) and of the view. */
export function readTableMetrics(
  tables: readonly Located[],
  viewMetrics: readonly Located[],
  datasets: readonly Dataset[],
  notes: Notes,
) {
  const found = [
    ...tables.flatMap((table) =>
      [...(table.get("metrics")?.items() ?? []), ...(table.get("measures")?.items() ?? [])].map((node) => ({
        node,
        table: textAt(table, "name") ?? "",
      })),
    ),
    ...viewMetrics.map((node) => ({ node, table: undefined })),
  ].map(({ node, table }) => ({ node, own: textAt(node, "name") ?? "", ...definedFields({ table }) }));
  const namesakes = Map.groupBy(found, ({ own }) => own.toLowerCase());
  const written = found.map((one): Written => {
    const isUnique = namesakes.get(one.own.toLowerCase())?.length === 1;
    return { ...one, name: isUnique || one.table === undefined ? one.own : `${one.table}_${one.own}` };
  });
  const read = written.map((one) => ({ one, parts: readMetric(one, written, datasets, notes) }));
  const metrics = read.flatMap(({ parts }) => parts?.metrics ?? []);
  const measures = measuresByDataset(read.flatMap(({ parts }) => parts?.measures ?? []));
  const placeOf = (name: string) => written.find((one) => one.name === name)?.node;
  return { metrics: withoutBroken(metrics, placeOf, notes), measures };
}

const KEYS = [
  "name",
  "expr",
  "description",
  "synonyms",
  "access_modifier",
  "data_type",
  "sample_values",
  "default_aggregation",
  "non_additive_dimensions",
];

function readMetric(metric: Written, written: readonly Written[], datasets: readonly Dataset[], notes: Notes) {
  const { node, name, table } = metric;
  notes.unread(node, KEYS, `metric ${name}`);
  if (node.get("non_additive_dimensions")?.value)
    return void notes.add(
      node,
      `metric ${name} is left out: non_additive_dimensions is not carried, and its sum would be another number`,
    );
  const isField = (dataset: string | undefined, field: string) =>
    datasets.some(
      (one) =>
        (dataset === undefined || same(one.name, dataset)) &&
        one.dimensions.some((dimension) => same(dimension.name, field)),
    );
  const expr = replaceNames(textAt(node, "expr") ?? "", ({ qualifier, name: field }) => {
    const scope = qualifier ?? table;
    const found = written.find(
      (one) =>
        same(one.own, field) &&
        one !== metric &&
        (scope === undefined ? one.table === undefined : same(one.table ?? "", scope)),
    );
    return found && !isField(scope, field) ? found.name : undefined;
  });
  const parts = expressionMetric({
    name,
    ...described(node),
    expr,
    ...(textAt(node, "access_modifier") === "private_access" && { hidden: true }),
    isMetric: (word) => written.some((one) => one.name === word),
    measured: (inner) => measured(inner, table, datasets),
  });
  if (!parts)
    notes.add(
      node,
      `metric ${name} is left out: ${textAt(node, "expr")} is more than arithmetic over sums, counts, averages, minima, maxima and metrics`,
    );
  return parts;
}

/** The one table that an aggregate is over, and its expression with references to logical columns. */
function measured(expr: string | undefined, table: string | undefined, datasets: readonly Dataset[]) {
  const qualifiers = new Set(
    (expr === undefined ? [] : namesOf(expr)).flatMap(({ qualifier }) => qualifier?.toLowerCase() ?? []),
  );
  const [qualifier] = qualifiers;
  const dataset = datasets.find(({ name }) => same(name, qualifier ?? table ?? ""));
  if (!dataset || qualifiers.size > 1) return undefined;
  if (expr === undefined) return { dataset: dataset.name };
  const own = replaceNames(expr, ({ name }) => {
    const found = dataset.dimensions.find((dimension) => same(dimension.name, name));
    return found ? `\${${found.name}}` : name;
  });
  return { dataset: dataset.name, expr: own };
}
