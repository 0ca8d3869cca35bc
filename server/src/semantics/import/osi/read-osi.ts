import { nonEmptyFields } from "#base";
import { cutAggregates } from "../../expression/aggregates.ts";
import { namesOf, replaceNames } from "../../expression/qualified-names.ts";
import { asText, isTrue, type Located, readLocated, textAt, textsAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type {
  Dataset,
  Described,
  Dimension,
  DimensionType,
  Extension,
  Measure,
  Metric,
  ModelDefinition,
  ModelRelationship,
} from "../../model/model.ts";
import type { Importer } from "../contract.ts";
import { withImpliedKeys } from "../implied-keys.ts";

/** Versions of the format that are read; others are tried, with a note. */
const VERSIONS = ["0.1.0", "0.1.1", "0.2.0.dev0", "0.2.0", "1.0", "1.0.0"];

/** Reads a document of Open Semantic Interchange (now Apache Ossie): datasets, relationships, metrics as expressions (SEM-7). */
export const readOsi: Importer = (files, { name }, notes) => {
  const models = files.flatMap((file) => {
    const document = readLocated(file);
    const version = textAt(document, "version");
    if (version && !VERSIONS.includes(version))
      notes.add(document, `version ${version} is not known; it is read as ${VERSIONS[2]}`);
    const listed = document.get("semantic_model");
    return listed ? (listed.items().length > 0 ? listed.items() : [listed]) : [document];
  });
  const found = name ? models.filter((model) => textAt(model, "name") === name) : models;
  const [model, ...others] = found.length > 0 ? found : models;
  for (const other of others)
    notes.add(other, `model ${textAt(other, "name")} is not imported: one at a time, chosen by --name`);
  if (!model) return emptyModel(name ?? "model");
  return toModel(model, name, notes);
};

function emptyModel(name: string): ModelDefinition {
  return { name, datasets: [], relationships: [], metrics: [], filters: [], glossary: [], verifiedQuestions: [] };
}

function toModel(node: Located, name: string | undefined, notes: Notes): ModelDefinition {
  notes.unread(
    node,
    [
      "version",
      "name",
      "description",
      "ai_context",
      "datasets",
      "relationships",
      "metrics",
      "custom_extensions",
      "semantic_model",
    ],
    "model",
  );
  const relationships = (node.get("relationships")?.items() ?? []).map((one) => toRelationship(one, notes));
  const bare = withImpliedKeys(
    (node.get("datasets")?.items() ?? []).map((one) => toDataset(one, notes)),
    relationships,
  );
  const measures = new Map<string, Measure[]>(bare.map((dataset) => [dataset.name, []]));
  const metrics = [
    ...(node.get("datasets")?.items() ?? []).flatMap((one) =>
      (one.get("metrics")?.items() ?? []).flatMap((metric) =>
        toMetrics(metric, textAt(one, "name"), bare, measures, notes),
      ),
    ),
    ...(node.get("metrics")?.items() ?? []).flatMap((metric) => toMetrics(metric, undefined, bare, measures, notes)),
  ];
  const { description, synonyms = [], extensions = [], instruction } = context(node, notes, "model");
  for (const synonym of synonyms) notes.add(node, `model: synonym ${synonym} is not carried`);
  return {
    ...emptyModel(name ?? textAt(node, "name") ?? "model"),
    ...nonEmptyFields({ description, instruction }),
    datasets: bare.map((dataset) => ({ ...dataset, measures: measures.get(dataset.name) ?? [] })),
    relationships,
    metrics,
    ...(extensions.length > 0 && { extensions }),
  };
}

/** Name of what `ai_context` has beside synonyms, among the extensions. */
export const CONTEXT = "ai_context";

function context(node: Located, notes: Notes, what: string) {
  const found = node.get("ai_context");
  const text = asText(found);
  const synonyms = textsAt(found, "synonyms");
  const instruction = what === "model" ? textAt(found, "instructions") : undefined;
  const read = new Set(["synonyms", ...(instruction ? ["instructions"] : [])]);
  const rest = Object.fromEntries(
    found
      ?.entries()
      .filter(([key]) => !read.has(key))
      .map(([key, one]) => [key, one.value]) ?? [],
  );
  const own =
    text === undefined ? (Object.keys(rest).length > 0 ? JSON.stringify(rest) : undefined) : JSON.stringify(text);
  const extensions: Extension[] = (node.get("custom_extensions")?.items() ?? []).flatMap((extension) => {
    const vendor = textAt(extension, "vendor_name");
    if (vendor === undefined) notes.add(extension, `${what}: an extension without vendor_name is not carried`);
    return vendor === undefined ? [] : [{ vendor, data: textAt(extension, "data") ?? "" }];
  });
  const all = [...(own ? [{ vendor: CONTEXT, data: own }] : []), ...extensions];
  const [label, description] = [textAt(node, "label"), textAt(node, "description")];
  const described: Described & { instruction?: string; extensions?: readonly Extension[] } = {
    ...nonEmptyFields({ label, description }),
    ...(synonyms.length > 0 && { synonyms }),
    ...nonEmptyFields({ instruction }),
    ...(all.length > 0 && { extensions: all }),
  };
  return described;
}

function toRelationship(node: Located, notes: Notes): ModelRelationship {
  const [name = "", from = "", to = ""] = [textAt(node, "name"), textAt(node, "from"), textAt(node, "to")];
  notes.unread(
    node,
    ["name", "from", "to", "from_columns", "to_columns", "ai_context", "custom_extensions"],
    `relationship ${name}`,
  );
  const [own, other] = [textsAt(node, "from_columns"), textsAt(node, "to_columns")];
  if (own.length !== other.length)
    notes.add(node, `relationship ${name}: from_columns and to_columns differ in length`);
  return {
    name,
    ...context(node, notes, `relationship ${name}`),
    from,
    to,
    columns: own.flatMap((column, at) => (other[at] === undefined ? [] : [[column, other[at]] as const])),
    cardinality: "many_to_one",
  };
}

function toDataset(node: Located, notes: Notes): Dataset {
  const name = textAt(node, "name") ?? "";
  const what = `dataset ${name}`;
  notes.unread(
    node,
    [
      "name",
      "source",
      "primary_key",
      "unique_keys",
      "description",
      "ai_context",
      "fields",
      "metrics",
      "custom_extensions",
    ],
    what,
  );
  const source = textAt(node, "source") ?? "";
  const dimensions = (node.get("fields")?.items() ?? []).flatMap((field) => toDimension(field, name, notes) ?? []);
  const times = dimensions.filter(({ type }) => type === "date" || type === "timestamp");
  const declared = [
    textsAt(node, "primary_key"),
    ...(node.get("unique_keys")?.items() ?? []).map((key) => key.items().flatMap((item) => asText(item) ?? [])),
  ];
  const keys = declared.filter((key) => key.length > 0);
  const [time] = times;
  return {
    name,
    ...context(node, notes, what),
    ...(/\s/.test(source) ? { sql: source } : { table: source }),
    keys,
    ...(times.length === 1 && time && { timeDimension: time.name }),
    dimensions,
    measures: [],
  };
}

const TYPES: Readonly<Record<string, DimensionType>> = {
  ...{ String: "text", Integer: "number", Decimal: "number", Float: "number", Boolean: "boolean" },
  ...{ Date: "date", DateTime: "timestamp", DateTimeTz: "timestamp" },
};

function toDimension(node: Located, dataset: string, notes: Notes): Dimension | undefined {
  const name = textAt(node, "name") ?? "";
  const what = `field ${dataset}.${name}`;
  notes.unread(
    node,
    ["name", "expression", "dimension", "label", "description", "datatype", "ai_context", "custom_extensions"],
    what,
  );
  const found = expressionOf(node, what, notes);
  if (!found) return undefined;
  const datatype = textAt(node, "datatype");
  const isTime = isTrue(node.get("dimension"), "is_time");
  const type = datatype ? (TYPES[datatype] ?? "text") : isTime ? "timestamp" : "text";
  return {
    name,
    ...context(node, notes, what),
    ...(found.expr !== name && { expr: found.expr }),
    ...(Object.keys(found.dialects).length > 0 && { dialects: found.dialects }),
    type,
  };
}

/** Languages of expressions that are not SQL. */
const NO_SQL = new Set(["MDX", "TABLEAU", "MAQL", "DAX", "THOUGHTSPOT", "SIGMA"]);

/** The standard expression, else the first in SQL; older documents write it as a text. */
function expressionOf(node: Located, what: string, notes: Notes) {
  const found = node.get("expression");
  const text = asText(found);
  if (text !== undefined) return { expr: text, dialects: {} as Record<string, string> };
  const all = (found?.get("dialects")?.items() ?? []).flatMap((one) => {
    const [dialect, expression] = [textAt(one, "dialect") ?? "ANSI_SQL", textAt(one, "expression")];
    if (NO_SQL.has(dialect)) notes.add(one, `${what}: its expression in ${dialect} is not carried`);
    return expression === undefined || NO_SQL.has(dialect) ? [] : [{ dialect, expression }];
  });
  const standard = all.find(({ dialect }) => dialect === "ANSI_SQL") ?? all[0];
  if (!standard) return void notes.add(node, `${what} is left out: it has no expression in SQL`);
  if (standard.dialect !== "ANSI_SQL") notes.add(node, `${what}: its expression is that of ${standard.dialect}`);
  const dialects = Object.fromEntries(
    all.filter((one) => one !== standard).map(({ dialect, expression }) => [dialect, expression]),
  );
  return { expr: standard.expression, dialects };
}

/** A metric becomes measures of its datasets, and arithmetic over them. */
function toMetrics(
  node: Located,
  scope: string | undefined,
  datasets: readonly Dataset[],
  measures: Map<string, Measure[]>,
  notes: Notes,
): readonly Metric[] {
  const own = textAt(node, "name") ?? "";
  const name = scope === undefined ? own : `${scope}_${own}`;
  const what = `metric ${name}`;
  notes.unread(
    node,
    ["name", "expression", "description", "label", "datatype", "ai_context", "custom_extensions"],
    what,
  );
  const found = expressionOf(node, what, notes);
  if (!found) return [];
  for (const dialect of Object.keys(found.dialects))
    notes.add(node, `${what}: its expression in ${dialect} is not carried`);
  const partName = (at: number) => `${name}_part_${at + 1}`;
  const cut = cutAggregates(found.expr, partName);
  if (!cut) {
    notes.add(
      node,
      `${what} is left out: ${found.expr} is more than arithmetic over sums, counts, averages, minima and maxima`,
    );
    return [];
  }
  const used = new Set(cut.calls.flatMap(({ expr = "" }) => namesOf(expr).flatMap(({ qualifier }) => qualifier ?? [])));
  const measured = cut.calls.map((call) => ({ call, dataset: datasetOf(call.expr, scope, used, datasets) }));
  const missing = measured.find(({ dataset }) => !dataset);
  if (missing) {
    notes.add(node, `${what} is left out: ${missing.call.expr ?? "COUNT(*)"} is not of one dataset`);
    return [];
  }
  const single = measured.length === 1 && cut.expression === partName(0);
  for (const [at, { call, dataset }] of measured.entries()) {
    const { aggregation, expr } = call;
    if (dataset)
      measures.get(dataset.name)?.push({
        name: single ? name : partName(at),
        aggregation,
        ...(expr !== undefined && { expr: withReferences(expr, dataset) }),
      });
  }
  const described = context(node, notes, what);
  const nameOf = (at: number) => `${measured[at]?.dataset?.name}.${single ? name : partName(at)}`;
  if (single) return [{ name, ...described, kind: "simple", measure: nameOf(0) }];
  return [
    ...measured.map((_, at): Metric => ({ name: partName(at), kind: "simple", measure: nameOf(at), hidden: true })),
    {
      name,
      ...described,
      kind: "derived",
      expression: cut.expression,
      inputs: measured.map((_, at) => ({ metric: partName(at) })),
    },
  ];
}

/** The one dataset whose names an expression has. */
function datasetOf(
  expr: string | undefined,
  scope: string | undefined,
  used: ReadonlySet<string>,
  datasets: readonly Dataset[],
): Dataset | undefined {
  const named = (name: string) => datasets.find((dataset) => dataset.name === name);
  if (scope !== undefined) return named(scope);
  const names = expr === undefined ? [] : namesOf(expr);
  const qualifiers = new Set(names.flatMap(({ qualifier }) => qualifier ?? []));
  if (qualifiers.size > 1) return undefined;
  const [qualifier] = qualifiers;
  if (qualifier !== undefined) return named(qualifier);
  if (datasets.length === 1) return datasets[0];
  const having = datasets.filter(
    ({ dimensions }) => names.length > 0 && names.every(({ name }) => dimensions.some((one) => one.name === name)),
  );
  if (having.length === 1) return having[0];
  const [only] = used;
  return names.length === 0 && used.size === 1 && only !== undefined ? named(only) : undefined;
}

/** `orders.net` is the declared field where there is one, else the column. */
function withReferences(expr: string, { name: own, dimensions }: Dataset): string {
  return replaceNames(expr, ({ qualifier, name }) => {
    if (qualifier === undefined) return undefined;
    const isField = qualifier === own && dimensions.some((dimension) => dimension.name === name);
    return isField ? `\${${name}}` : undefined;
  });
}
