import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { definedFields, nonEmptyFields } from "#base";
import { namesOf } from "../../expression/qualified-names.ts";
import { replaceReferences, sqlTokens } from "../../expression/sql-tokens.ts";
import { createNotes } from "../../files/notes.ts";
import { type FoundMeasure, findMeasure, findMetric, inputsOf, isTime } from "../../model/find.ts";
import type {
  Dataset,
  Described,
  Dimension,
  DimensionType,
  Extension,
  Measure,
  Metric,
  ModelDefinition,
} from "../../model/model.ts";
import { CONTEXT, readOsi } from "./read-osi.ts";

/** The vendor of what only our form has. */
const VENDOR = "FRONTDESK";

/** Version of the format that is written. */
const VERSION = "0.2.0.dev0";

/** A model as a document of Open Semantic Interchange, and what others will not find in it. */
interface WrittenOsi {
  readonly text: string;
  /** Metrics that the format cannot state; an import by this server finds them again. */
  readonly unstated: readonly string[];
}

/**
 * Writes a model. What the format cannot state is not written in another meaning: it stands in an extension, so that an
 * import gives the same model again (SEM-7).
 */
export function writeOsi(model: ModelDefinition): WrittenOsi {
  const plain = toDocument(model);
  const unstated = model.metrics
    .filter((metric) => !metric.hidden && !statedMetric(metric, model))
    .map(({ name }) => name);
  if (isDeepStrictEqual(sameOrder(read(plain)), sameOrder(model))) return { text: textOf(plain), unstated };
  const own = { vendor_name: VENDOR, data: JSON.stringify(model) };
  const [first] = plain.semantic_model;
  const extended = {
    ...plain,
    semantic_model: [{ ...first, custom_extensions: [...(first?.custom_extensions ?? []), own] }],
  };
  return { text: textOf(extended), unstated };
}

/** Our own form of a model in a document; undefined where the document has none, or was changed since. */
export function embeddedModel(
  extensions: readonly Extension[],
  model: ModelDefinition,
): ModelDefinition | "changed" | undefined {
  const own = extensions.find(({ vendor }) => vendor === VENDOR);
  if (!own) return undefined;
  try {
    const embedded = JSON.parse(own.data) as ModelDefinition;
    const others = extensions.filter(({ vendor }) => vendor !== VENDOR);
    const { extensions: _, ...bare } = model;
    const stated = { ...bare, ...(others.length > 0 && { extensions: others }) };
    return isDeepStrictEqual(sameOrder(read(toDocument(embedded))), sameOrder(stated)) ? embedded : "changed";
  } catch {
    return "changed";
  }
}

type Document = ReturnType<typeof toDocument>;

function textOf(document: object): string {
  return stringify(document, { lineWidth: 120 });
}

function read(document: Document): ModelDefinition {
  return readOsi([{ path: "model", text: textOf(document) }], {}, createNotes());
}

/** Keys in one order, lists as they are. */
function sameOrder(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function toDocument(model: ModelDefinition) {
  const { name, description, instruction, datasets, relationships, extensions = [] } = model;
  const shared = metricsOf(undefined, model);
  return {
    version: VERSION,
    semantic_model: [
      {
        name,
        ...nonEmptyFields({ description }),
        ...(instruction && { ai_context: { instructions: instruction } }),
        datasets: datasets.map((dataset) => toDataset(dataset, model)),
        ...(relationships.length > 0 && {
          relationships: relationships
            .filter(
              ({ cardinality, columns }) =>
                cardinality !== "many_to_many" && !columns.flat().some((column) => column.startsWith("${")),
            )
            .map(({ name: own, from, to, columns, ...rest }) => ({
              name: own,
              from,
              to,
              from_columns: columns.map(([column]) => column),
              to_columns: columns.map(([, column]) => column),
              ...described(rest),
            })),
        }),
        ...(shared.length > 0 && { metrics: shared }),
        ...(extensions.length > 0 && { custom_extensions: extensions.map(toExtension) }),
      },
    ],
  };
}

const toExtension = ({ vendor, data }: Extension) => ({ vendor_name: vendor, data });

/** Label, description, synonyms and what other products keep. */
function described({
  label,
  description,
  synonyms = [],
  extensions = [],
}: Described & { readonly extensions?: readonly Extension[] }) {
  const context = extensions.find(({ vendor }) => vendor === CONTEXT);
  const rest = context ? (JSON.parse(context.data) as unknown) : undefined;
  const others = extensions.filter((extension) => extension !== context);
  const aiContext =
    typeof rest === "string" ? rest : { ...(synonyms.length > 0 && { synonyms }), ...(rest as object | undefined) };
  return {
    ...nonEmptyFields({ label, description }),
    ...((typeof aiContext === "string" || Object.keys(aiContext).length > 0) && { ai_context: aiContext }),
    ...(others.length > 0 && { custom_extensions: others.map(toExtension) }),
  };
}

function toDataset({ name, table, sql, keys, dimensions, ...rest }: Dataset, model: ModelDefinition) {
  const metrics = metricsOf(name, model);
  const [primary, ...unique] = keys;
  return {
    name,
    source: table ?? sql,
    ...definedFields({ primary_key: primary }),
    ...(unique.length > 0 && { unique_keys: unique }),
    ...described(rest),
    ...(dimensions.length > 0 && { fields: dimensions.map((dimension) => toField(dimension, name)) }),
    ...(metrics.length > 0 && { metrics }),
  };
}

const DATATYPES: Readonly<Record<DimensionType, string>> = {
  text: "String",
  number: "Decimal",
  boolean: "Boolean",
  date: "Date",
  timestamp: "DateTime",
};

function toField({ name, expr = name, dialects = {}, type, ...rest }: Dimension, dataset: string) {
  const others = Object.entries(dialects).map(([dialect, expression]) => ({ dialect, expression }));
  return {
    name,
    expression: { dialects: [{ dialect: "ANSI_SQL", expression: qualified(expr, dataset) }, ...others] },
    datatype: DATATYPES[type],
    ...(isTime({ type }) && { dimension: { is_time: true } }),
    ...described(rest),
  };
}

function qualified(expr: string, dataset: string): string {
  return replaceReferences(expr, ({ name }) => `${dataset}.${name}`);
}

/** The metrics of a dataset, or of the model. */
function metricsOf(dataset: string | undefined, model: ModelDefinition) {
  return model.metrics.flatMap((metric) => {
    const stated = metric.hidden ? undefined : statedMetric(metric, model);
    if (!stated || stated.dataset !== dataset) return [];
    const prefix = `${dataset}_`;
    const name = metric.name.startsWith(prefix) ? metric.name.slice(prefix.length) : metric.name;
    const expression = { dialects: [{ dialect: "ANSI_SQL", expression: stated.expression }] };
    return [{ name, expression, ...described(metric) }];
  });
}

/** Columns without a dataset before them are only known in the metrics of that dataset. */
function statedMetric(metric: Metric, model: ModelDefinition) {
  const expression = expressionOf(metric, model);
  if (expression === undefined) return undefined;
  const measures = measuresOf(metric, model);
  const isBare = measures.some(({ measure: { expr, filter } }) =>
    expr === undefined
      ? true
      : [expr, filter ?? ""].some((text) => namesOf(text).some(({ qualifier }) => qualifier === undefined)),
  );
  if (!isBare) return { expression };
  const [dataset, other] = new Set(measures.map((found) => found.dataset.name));
  return other === undefined ? { expression, dataset } : undefined;
}

function measuresOf(metric: Metric, model: ModelDefinition): readonly FoundMeasure[] {
  if (metric.kind === "simple" || metric.kind === "cumulative") {
    const found = findMeasure(model, metric.measure);
    return found ? [found] : [];
  }
  return inputsOf(metric).flatMap((input) => {
    const found = findMetric(model, input.metric);
    return found ? measuresOf(found, model) : [];
  });
}

/** A metric as one expression; undefined where the format has no words for it. */
function expressionOf(metric: Metric, model: ModelDefinition): string | undefined {
  if (metric.kind === "cumulative" || (metric.filter?.length ?? 0) > 0) return undefined;
  if (metric.kind === "simple") {
    const found = findMeasure(model, metric.measure);
    const call = found && callOf(found.measure, found.dataset.name);
    return call !== undefined && metric.fill !== undefined ? `COALESCE(${call}, ${metric.fill})` : call;
  }
  const inputs = metric.kind === "ratio" ? [metric.numerator, metric.denominator] : metric.inputs;
  const values = inputs.map((input) => {
    const own = findMetric(model, input.metric);
    const plain = !input.offset && !input.offsetTo && !input.filter?.length && own;
    const expression = plain ? expressionOf(own, model) : undefined;
    const isCall = plain && own.kind === "simple" && own.fill === undefined;
    return expression === undefined || isCall ? expression : `(${expression})`;
  });
  if (values.some((value) => value === undefined)) return undefined;
  if (metric.kind === "ratio") return `${values[0]} / NULLIF(${values[1]}, 0)`;
  const byName = new Map(metric.inputs.map(({ alias, metric: name }, at) => [alias ?? name, values[at]]));
  return substituteNames(metric.expression, (name) => byName.get(name));
}

function callOf({ aggregation, expr, filter }: Measure, dataset: string): string | undefined {
  const kept = filter === undefined ? expr : `CASE WHEN ${filter} THEN ${expr ?? "1"} END`;
  if (kept === undefined) return aggregation === "count" ? "COUNT(*)" : undefined;
  const value = qualified(kept, dataset);
  const functions: Readonly<Partial<Record<Measure["aggregation"], string>>> = {
    sum: `SUM(${value})`,
    count: `COUNT(${value})`,
    count_distinct: `COUNT(DISTINCT ${value})`,
    average: `AVG(${value})`,
    min: `MIN(${value})`,
    max: `MAX(${value})`,
    median: `MEDIAN(${value})`,
    sum_boolean: `COUNT(CASE WHEN ${value} THEN 1 END)`,
  };
  return functions[aggregation];
}

/** Puts values in place of names. */
function substituteNames(expression: string, substitute: (name: string) => string | undefined): string {
  return sqlTokens(expression)
    .map(({ kind, text }) => (kind === "word" ? (substitute(text) ?? text) : text))
    .join("");
}
