import { nonEmptyFields } from "#base";
import { isTrue, type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import {
  AGGREGATIONS,
  type Aggregation,
  type Dataset,
  type Described,
  type Dimension,
  GRAINS,
  type Measure,
} from "../../model/model.ts";
import { readEntities } from "./entities.ts";
import type { DbtManifest } from "./manifest.ts";

/** A semantic model as a dataset, with entities as dimensions, so that numbers can be grouped by them. */
export function readSemanticModel(node: Located, manifest: DbtManifest | undefined, notes: Notes): Dataset {
  const name = textAt(node, "name") ?? "";
  const what = `semantic model ${name}`;
  notes.unread(
    node,
    [
      "name",
      "label",
      "description",
      "model",
      "node_relation",
      "defaults",
      "entities",
      "dimensions",
      "measures",
      "primary_entity",
      "metadata",
    ],
    what,
  );
  const dimensions = (node.get("dimensions")?.items() ?? []).flatMap((one) => readDimension(one, name, notes) ?? []);
  const known = new Set(dimensions.map((dimension) => dimension.name));
  const entities = readEntities(node, notes);
  const time = textAt(node.get("defaults"), "agg_time_dimension");
  return {
    name,
    ...described(node),
    table: tableOf(node, manifest, notes),
    keys: entities.filter(({ type }) => type !== "foreign").map(({ column }) => [column]),
    ...nonEmptyFields({ timeDimension: time }),
    dimensions: [
      ...dimensions,
      ...entities
        .filter((entity) => !known.has(entity.name))
        .map(({ name: own, expr }): Dimension => ({ name: own, type: "text", ...(expr !== own && { expr }) })),
    ],
    measures: (node.get("measures")?.items() ?? []).flatMap((one) => readMeasure(one, name, notes) ?? []),
  };
}

/** Label and description of anything in the file. */
export function described(node: Located): Described {
  const [label, description] = [textAt(node, "label"), textAt(node, "description")];
  return nonEmptyFields({ label, description });
}

/** The relation that dbt built; else the name in `ref`, which the tables of a data agent complete. */
function tableOf(node: Located, manifest: DbtManifest | undefined, notes: Notes): string {
  const relation = node.get("node_relation");
  if (relation) {
    const parts = ["database", "schema_name", "alias"].flatMap((key) => textAt(relation, key) ?? []);
    return parts.join(".");
  }
  const written = textAt(node, "model") ?? "";
  const name =
    /ref\(\s*(?:['"][^'"]+['"]\s*,\s*)?['"]([^'"]+)['"]/.exec(written)?.[1] ??
    /source\(.*['"]([^'"]+)['"]\s*\)/.exec(written)?.[1];
  if (!name)
    notes.add(
      node,
      `semantic model ${textAt(node, "name")}: model ${written} is no ref(…); its table is taken by that name`,
    );
  const built = Object.values(manifest?.nodes ?? {}).find((one) => one.resource_type === "model" && one.name === name);
  return [built?.database, built?.schema, built?.alias ?? name ?? written].filter(Boolean).join(".");
}

function readDimension(node: Located, model: string, notes: Notes): Dimension | undefined {
  const name = textAt(node, "name") ?? "";
  const what = `dimension ${model}.${name}`;
  notes.unread(node, ["name", "label", "description", "type", "type_params", "expr", "is_partition", "metadata"], what);
  const parameters = node.get("type_params");
  if (parameters?.get("validity_params")?.value)
    notes.add(node, `${what}: validity_params are not carried; a row is joined whatever its time`);
  const expr = textAt(node, "expr");
  const own = { name, ...described(node), ...(expr && expr !== name && { expr }) };
  if (textAt(node, "type")?.toLowerCase() !== "time") return { ...own, type: "text" };
  const grain = GRAINS.find((one) => one === textAt(parameters, "time_granularity")?.toLowerCase());
  return { ...own, type: "timestamp", grain: grain ?? "day" };
}

/** A measure; undefined where another number would come of it than there. */
function readMeasure(node: Located, model: string, notes: Notes): Measure | undefined {
  const name = textAt(node, "name") ?? "";
  const what = `measure ${model}.${name}`;
  notes.unread(
    node,
    [
      "name",
      "label",
      "description",
      "agg",
      "expr",
      "create_metric",
      "agg_time_dimension",
      "agg_params",
      "non_additive_dimension",
      "metadata",
    ],
    what,
  );
  const expr = textAt(node, "expr");
  return toMeasure(node, { name, ...described(node), expr: expr ?? name }, what, notes);
}

/** The aggregation of a measure, or of a metric that has its own. */
export function toMeasure(
  node: Located,
  own: Described & { readonly name: string; readonly expr: string },
  what: string,
  notes: Notes,
): Measure | undefined {
  const written = textAt(node, "agg")?.toLowerCase();
  const aggregation: Aggregation | undefined = AGGREGATIONS.find(
    (one) => one === (written === "avg" ? "average" : written),
  );
  const parameters = node.get("agg_params");
  const timeDimension = textAt(node, "agg_time_dimension");
  if (!aggregation) return void notes.add(node, `${what} is left out: aggregation ${written} is not carried`);
  if (node.get("non_additive_dimension")?.value)
    return void notes.add(
      node,
      `${what} is left out: non_additive_dimension is not carried, and its sum would be another number`,
    );
  if (isTrue(parameters, "use_discrete_percentile") || isTrue(parameters, "use_approximate_percentile"))
    return void notes.add(node, `${what} is left out: discrete and approximate percentiles are not carried`);
  const percentile = parameters?.get("percentile")?.value;
  return {
    ...own,
    aggregation,
    ...(aggregation === "percentile" && { percentile: typeof percentile === "number" ? percentile : 0.5 }),
    ...nonEmptyFields({ timeDimension }),
  };
}
