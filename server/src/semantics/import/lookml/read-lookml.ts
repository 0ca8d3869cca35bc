import type { Notes } from "../../files/notes.ts";
import type { Dataset, Metric } from "../../model/model.ts";
import type { Importer } from "../contract.ts";
import { withImpliedKeys } from "../implied-keys.ts";
import { metricNames } from "../metric-names.ts";
import { onlyTime } from "../named-condition.ts";
import { readExplores } from "./explores.ts";
import { lookmlDescribed, readFields } from "./fields.ts";
import { readMeasures } from "./measures.ts";
import { type LookmlNode, parameter, parseLookml, textOf } from "./parse-lookml.ts";
import { readViews } from "./views.ts";

/** Reads LookML without a Looker server: views with their refinements, and the joins of explores (SEM-13). */
export const readLookml: Importer = (files, { name }, notes) => {
  const nodes = files.flatMap((file) => parseLookml(file));
  const views = readViews(nodes, notes);
  const rows = new Map(
    views.flatMap((view) => {
      const dataset = readView(view, notes);
      return dataset ? [[view.name, dataset] as const] : [];
    }),
  );
  const { relationships, aliases, restricted } = readExplores(nodes, (view) => rows.get(view), notes);
  for (const [view, restriction] of restricted) {
    notes.add(restriction, `view ${view} is left out: ${restriction.key} restricts its rows, and is not carried`);
    rows.delete(view);
  }
  const aliased = [...aliases].flatMap(([alias, view]) => {
    const dataset = rows.get(view);
    return dataset && !rows.has(alias) ? [{ ...dataset, name: alias }] : [];
  });
  const used = views.filter((view) => rows.has(view.name));
  const names = metricNames(
    used.flatMap((view) =>
      view.children.filter(({ key }) => key === "measure").map((measure) => ({ owner: view.name, name: measure.name })),
    ),
  );
  const datasets = [...rows.values(), ...aliased];
  const { metrics, measures } = readMeasures(used, datasets, names, notes);
  const known = relationships.filter(({ from, to }) =>
    [from, to].every((one) => datasets.some((dataset) => dataset.name === one)),
  );
  return {
    name: name ?? "model",
    datasets: withImpliedKeys(datasets, known).map(
      (dataset): Dataset => ({ ...dataset, measures: measures.get(dataset.name) ?? [] }),
    ),
    relationships: known,
    metrics: metrics as readonly Metric[],
    filters: [],
    glossary: [],
    verifiedQuestions: [],
  };
};

const VIEW_KEYS = new Set([
  "sql_table_name",
  "derived_table",
  "dimension",
  "dimension_group",
  "measure",
  "label",
  "view_label",
  "description",
  "set",
  "extends",
  "extends__all",
  "extension",
  "drill_fields",
]);

function readView(view: LookmlNode, notes: Notes): Dataset | undefined {
  for (const child of view.children)
    if (!VIEW_KEYS.has(child.key)) notes.add(child, `view ${view.name}: ${child.key} is not carried`);
  const derived = parameter(view, "derived_table");
  const sql = derived && textOf(derived, "sql");
  const table = textOf(view, "sql_table_name");
  if ((derived && !sql) || /\{[%{]|\$\{|@\{/.test(sql ?? table ?? ""))
    return void notes.add(
      derived ?? view,
      `view ${view.name} is left out: its table is derived by something else than plain SQL`,
    );
  const { dimensions, keys } = readFields(view, notes);
  return {
    name: view.name,
    ...lookmlDescribed(view),
    ...(sql ? { sql } : { table: (table ?? view.name).replaceAll(/[`"]/g, "") }),
    keys: keys.length > 0 ? [keys] : [],
    ...onlyTime(dimensions),
    dimensions,
    measures: [],
  };
}
