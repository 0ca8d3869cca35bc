import type { Located } from "../../files/located.ts";
import { readLocated, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dataset, ModelRelationship, NamedFilter } from "../../model/model.ts";
import type { Importer } from "../contract.ts";
import { withImpliedKeys } from "../implied-keys.ts";
import { metricNames } from "../metric-names.ts";
import { namedCondition, onlyTime } from "../named-condition.ts";
import { readDimensions } from "./dimensions.ts";
import { readJoins } from "./joins.ts";
import { readMeasures } from "./measures.ts";
import { cubeDescribed, rowExpression } from "./members.ts";

/** Reads the YAML data model of Cube: cubes with joins, dimensions, measures and segments (SEM-12). */
export const readCube: Importer = (files, { name }, notes) => {
  const documents = files.map((file) => readLocated(file));
  for (const view of documents.flatMap((document) => document.get("views")?.items() ?? []))
    notes.add(view, `view ${textAt(view, "name")} is not carried: it shows parts of cubes, which are all here`);
  const cubes = documents
    .flatMap((document) => document.get("cubes")?.items() ?? [])
    .filter((cube) => isReadable(cube, notes));
  const filters: NamedFilter[] = [];
  const datasets = cubes.map((cube) => readCubeRows(cube, filters, notes));
  const relationships = cubes.flatMap((cube) => readJoins(cube, datasets, notes));
  const known: readonly ModelRelationship[] = relationships.filter(
    ({ from, to }, at) => relationships.findIndex((other) => other.from === from && other.to === to) === at,
  );
  const names = metricNames(
    cubes.flatMap((cube) =>
      (cube.get("measures")?.items() ?? []).map((measure) => ({
        owner: textAt(cube, "name") ?? "",
        name: textAt(measure, "name") ?? "",
      })),
    ),
  );
  const { metrics, measures } = readMeasures(cubes, datasets, names, notes);
  return {
    name: name ?? "model",
    datasets: withImpliedKeys(datasets, known).map(
      (dataset): Dataset => ({ ...dataset, measures: measures.get(dataset.name) ?? [] }),
    ),
    relationships: known,
    metrics,
    filters,
    glossary: [],
    verifiedQuestions: [],
  };
};

/** What a cube inherits or has templates for is not known here. */
function isReadable(cube: Located, notes: Notes): boolean {
  const name = textAt(cube, "name");
  if (cube.get("extends")) notes.add(cube, `cube ${name} is left out: extends is not carried`);
  return !cube.get("extends");
}

const CUBE_KEYS = [
  "name",
  "sql_table",
  "sql",
  "title",
  "description",
  "joins",
  "dimensions",
  "measures",
  "segments",
  "public",
  "data_source",
  "sql_alias",
  "refresh_key",
];

function readCubeRows(cube: Located, filters: NamedFilter[], notes: Notes): Dataset {
  const name = textAt(cube, "name") ?? "";
  notes.unread(cube, CUBE_KEYS, `cube ${name}`);
  const { dimensions, keys } = readDimensions(cube, notes);
  const all = [...dimensions];
  for (const segment of cube.get("segments")?.items() ?? []) {
    const own = textAt(segment, "name") ?? "";
    const expr = rowExpression(textAt(segment, "sql") ?? "", cube);
    if (expr === undefined) {
      notes.add(segment, `segment ${name}.${own} is left out: its sql is not over columns of its own cube`);
      continue;
    }
    const condition = namedCondition(name, own, expr, cubeDescribed(segment));
    all.push(condition.dimension);
    filters.push(condition.filter);
  }
  const [table, sql] = [textAt(cube, "sql_table"), textAt(cube, "sql")];
  return {
    name,
    ...cubeDescribed(cube),
    ...(table ? { table } : { sql: (sql ?? "").replace(/;\s*$/, "") }),
    keys: keys.length > 0 ? [keys] : [],
    ...onlyTime(all),
    dimensions: all,
    measures: [],
  };
}
