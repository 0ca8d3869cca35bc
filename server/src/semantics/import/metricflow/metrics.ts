import { definedFields, nonEmptyFields } from "#base";
import { asText, isTrue, type Located, textAt } from "../../files/located.ts";
import { type Measure, type Metric, type MetricInput, type TimeSpan, type TimeUnit, UNITS } from "../../model/model.ts";
import { withoutBroken } from "../without-broken.ts";
import { type Known, readFilters } from "./filters.ts";
import { described, toMeasure } from "./semantic-models.ts";

/** Metrics, and the measures of those that have none of their own. What is made of something that was left out is left out, too. */
export function readMetrics(nodes: readonly Located[], models: readonly Located[], known: Known) {
  const measures = new Map<string, Measure[]>();
  const made = models.flatMap((model) =>
    (model.get("measures")?.items() ?? [])
      .filter((measure) => isTrue(measure, "create_metric"))
      .map((measure) => ({ name: textAt(measure, "name") ?? "", node: measure })),
  );
  const named = new Set(nodes.map((node) => textAt(node, "name")));
  const created = made
    .filter(({ name }) => !named.has(name))
    .flatMap(({ name, node }): readonly Metric[] => {
      const measure = measureOf(name, known);
      return measure ? [{ name, ...described(node), kind: "simple", measure }] : [];
    });
  const read = nodes.flatMap((node) => readMetric(node, measures, known) ?? []);
  const placeOf = (name: string) => nodes.find((node) => textAt(node, "name") === name);
  return { metrics: withoutBroken([...created, ...read], placeOf, known.notes), measures };
}

function measureOf(name: string, { datasets }: Known): string | undefined {
  const found = datasets.find(({ measures }) => measures.some((measure) => measure.name === name));
  return found && `${found.name}.${name}`;
}

function readMetric(node: Located, measures: Map<string, Measure[]>, known: Known): Metric | undefined {
  const { notes } = known;
  const name = textAt(node, "name") ?? "";
  const what = `metric ${name}`;
  notes.unread(node, ["name", "label", "description", "type", "type_params", "filter", "metadata"], what);
  const filter = readFilters(node.get("filter"), what, known);
  const parameters = node.get("type_params");
  if (!filter || !parameters) {
    if (!parameters) notes.add(node, `${what} is left out: it has no type_params`);
    return undefined;
  }
  const own = { name, ...described(node), ...(filter.length > 0 && { filter }) };
  switch (textAt(node, "type")?.toLowerCase()) {
    case "simple":
    case "cumulative":
      return readMeasureMetric(node, parameters, own, measures, known);
    case "ratio": {
      const [numerator, denominator] = ["numerator", "denominator"].map((key) =>
        readInput(parameters.get(key), what, known),
      );
      return numerator && denominator && { ...own, kind: "ratio", numerator, denominator };
    }
    case "derived": {
      const expression = textAt(parameters, "expr");
      const inputs = (parameters.get("metrics")?.items() ?? []).map((input) => readInput(input, what, known));
      if (!expression) return void notes.add(node, `${what} is left out: it has no expr`);
      return inputs.every((input) => input !== undefined) ? { ...own, kind: "derived", expression, inputs } : undefined;
    }
    default:
      return void notes.add(node, `${what} is left out: type ${textAt(node, "type")} is not carried`);
  }
}

type Own = Pick<Metric, "name" | "filter" | "label" | "description">;

function readMeasureMetric(
  node: Located,
  parameters: Located,
  own: Own,
  measures: Map<string, Measure[]>,
  known: Known,
): Metric | undefined {
  const { notes } = known;
  const what = `metric ${own.name}`;
  const input = parameters.get("measure");
  const measure =
    ownMeasure(parameters, own, measures, known) ?? measureOf(asText(input) ?? textAt(input, "name") ?? "", known);
  if (!measure)
    return void notes.add(
      node,
      `${what} is left out: its measure ${asText(input) ?? textAt(input, "name")} is missing`,
    );
  const more = readFilters(input?.get("filter"), what, known);
  if (!more) return undefined;
  const filter = [...(own.filter ?? []), ...more];
  const written = input?.get("fill_nulls_with")?.value ?? parameters.get("fill_nulls_with")?.value;
  if (isTrue(input, "join_to_timespine") || isTrue(parameters, "join_to_timespine"))
    notes.add(node, `${what}: join_to_timespine is not carried; times without rows are not shown`);
  const metric = {
    ...own,
    measure,
    ...(filter.length > 0 && { filter }),
    ...(typeof written === "number" && { fill: written }),
  };
  if (textAt(node, "type")?.toLowerCase() === "simple") return { ...metric, kind: "simple" };
  return readCumulative(node, parameters, metric, known);
}

function readCumulative(
  node: Located,
  parameters: Located,
  metric: Own & { readonly measure: string },
  { notes }: Known,
): Metric | undefined {
  const what = `metric ${metric.name}`;
  const own = parameters.get("cumulative_type_params");
  const written = own?.get("window") ?? parameters.get("window");
  const window = written?.value ? spanOf(written) : undefined;
  const grain = textAt(own, "grain_to_date") ?? textAt(parameters, "grain_to_date");
  const toDate = UNITS.find((unit) => unit === grain?.toLowerCase());
  if ((written?.value && !window) || (grain && !toDate))
    return void notes.add(node, `${what} is left out: its window is not one of ${UNITS.join(", ")}`);
  const period = textAt(own, "period_agg");
  if (period && period !== "last")
    notes.add(own ?? node, `${what}: period_agg ${period} is not carried; a unit of time has the value of its end`);
  return { ...metric, kind: "cumulative", ...definedFields({ window, toDate }) };
}

/** The aggregation of a metric that names no measure. */
function ownMeasure(
  parameters: Located,
  { name }: Own,
  measures: Map<string, Measure[]>,
  { notes }: Known,
): string | undefined {
  const own = parameters.get("metric_aggregation_params");
  const dataset = textAt(own, "semantic_model");
  if (!own?.value || !dataset) return undefined;
  const expr = textAt(own, "expr") ?? textAt(parameters, "expr") ?? name;
  const measure = toMeasure(own, { name, expr }, `metric ${name}`, notes);
  if (!measure) return undefined;
  const others = measures.get(dataset);
  if (others) others.push(measure);
  else measures.set(dataset, [measure]);
  return `${dataset}.${name}`;
}

function readInput(node: Located | undefined, what: string, known: Known): MetricInput | undefined {
  const name = asText(node) ?? textAt(node, "name");
  if (!node || !name) {
    if (node) known.notes.add(node, `${what} is left out: an input has no name`);
    return undefined;
  }
  const filter = readFilters(node.get("filter"), what, known);
  const window = node.get("offset_window");
  const offset = window?.value ? spanOf(window) : undefined;
  const grain = textAt(node, "offset_to_grain");
  const offsetTo = UNITS.find((unit) => unit === grain?.toLowerCase());
  if ((window?.value && !offset) || (grain && !offsetTo))
    return void known.notes.add(node, `${what} is left out: an offset is not one of ${UNITS.join(", ")}`);
  const alias = textAt(node, "alias");
  return (
    filter && {
      metric: name,
      ...nonEmptyFields({ alias }),
      ...(filter.length > 0 && { filter }),
      ...definedFields({ offset, offsetTo }),
    }
  );
}

/** "7 days", or `{ count: 7, granularity: day }`. */
function spanOf(node: Located): TimeSpan | undefined {
  const text = asText(node);
  const [count, unit] = text === undefined ? [textAt(node, "count"), textAt(node, "granularity")] : text.split(/\s+/);
  const found: TimeUnit | undefined = UNITS.find((one) => one === unit?.toLowerCase().replace(/s$/, ""));
  return found && Number.isInteger(Number(count)) && Number(count) > 0
    ? { count: Number(count), unit: found }
    : undefined;
}
