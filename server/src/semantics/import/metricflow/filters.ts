import { asText, type Located } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { Dataset } from "../../model/model.ts";
import type { Entity } from "./entities.ts";

/** What conditions may refer to. */
export interface Known {
  readonly datasets: readonly Dataset[];
  readonly entities: readonly Entity[];
  readonly notes: Notes;
}

const TEMPLATE = /\{\{\s*(\w+)\(\s*((?:[^(){}]|\([^()]*\))*)\)((?:\.\w+\([^()]*\))*)\s*\}\}/g;

/** Conditions as MetricFlow writes them, with references to our dimensions; undefined, with a note, where one cannot be carried. */
export function readFilters(node: Located | undefined, what: string, known: Known): readonly string[] | undefined {
  if (!node?.value) return [];
  const listed = node.get("where_filters")?.items() ?? node.items();
  const parts = listed.length > 0 ? listed : [node];
  const written = parts.map((part) => ({ part, sql: asText(part) ?? asText(part.get("where_sql_template")) }));
  const filters = written.map(({ part, sql }) => (sql === undefined ? undefined : readFilter(sql, part, what, known)));
  return filters.every((filter) => filter !== undefined) ? filters : undefined;
}

function readFilter(sql: string, at: Located, what: string, known: Known): string | undefined {
  let fault: string | undefined;
  const condition = sql.replace(TEMPLATE, (_, kind: string, written: string, calls: string) => {
    const [path = "", grain] = [...written.matchAll(/['"]([^'"]*)['"]/g)].map(([, text = ""]) => text);
    const found =
      kind === "Dimension" || kind === "TimeDimension" || kind === "Entity" ? findPath(kind, path, known) : undefined;
    if (!found) fault ??= `${kind}('${path}') in its filter is no dimension of one semantic model`;
    else if (calls !== "" || (grain !== undefined && grain.toLowerCase() !== found.grain))
      fault ??= `${kind}('${path}') is filtered by another grain than its own`;
    return found ? `\${${found.name}}` : "NULL";
  });
  if (!fault && /\{[{%]/.test(condition)) fault = `its filter has a template that is not read: ${sql}`;
  if (fault) known.notes.add(at, `${what} is left out: ${fault}`);
  return fault ? undefined : condition.trim();
}

/** `order__status`: the dimension of the semantic model whose key is the entity; entities before the last are the way there. */
function findPath(kind: string, path: string, { datasets, entities }: Known) {
  const parts = path.split("__");
  const [name = "", entity] = [parts.at(-1), parts.at(-2)];
  if (kind === "Entity" && entity === undefined) {
    const [own] = entities.filter((one) => one.name === name && one.type === "primary");
    return own && { name: `${own.dataset}.${own.name}`, grain: undefined };
  }
  const owners = entities.filter((one) => one.name === entity && one.type !== "foreign").map(({ dataset }) => dataset);
  const having = datasets.filter(
    (dataset) => owners.includes(dataset.name) && dataset.dimensions.some((one) => one.name === name),
  );
  const [dataset] = having;
  if (having.length !== 1 || !dataset) return undefined;
  const grain = dataset.dimensions.find((one) => one.name === name)?.grain;
  return { name: `${dataset.name}.${name}`, grain };
}
