import { type Located, textAt } from "../../files/located.ts";
import type { Dataset, Dimension, ModelRelationship } from "../../model/model.ts";
import type { DbtManifest } from "./manifest.ts";

/** What a test of dbt says of columns: that they are a key, have these values, or refer to a key of another table. */
export interface ColumnTest {
  /** Name of the table, without database and schema. */
  readonly table: string;
  readonly columns: readonly string[];
  readonly says:
    | { readonly kind: "key" }
    | { readonly kind: "values"; readonly values: readonly string[] }
    | { readonly kind: "reference"; readonly table: string; readonly column: string };
}

/** The tests that dbt compiled. */
export function manifestTests({ nodes = {} }: DbtManifest): readonly ColumnTest[] {
  return Object.values(nodes).flatMap(({ resource_type, test_metadata: test, attached_node, column_name }) => {
    const model = nodes[attached_node ?? ""];
    const table = model?.alias ?? model?.name;
    if (resource_type !== "test" || !test || !table) return [];
    const { column_name: own, ...rest } = test.kwargs ?? {};
    return toTest(table, test.name ?? "", typeof own === "string" ? own : column_name, rest) ?? [];
  });
}

/** The tests in YAML files of models. */
export function schemaTests(document: Located): readonly ColumnTest[] {
  return (document.get("models")?.items() ?? []).flatMap((model) => {
    const table = textAt(model, "name") ?? "";
    const ofColumns = (model.get("columns")?.items() ?? []).flatMap((column) =>
      testsOf(column).flatMap((test) => readTest(table, test, textAt(column, "name"))),
    );
    return [...ofColumns, ...testsOf(model).flatMap((test) => readTest(table, test, undefined))];
  });
}

function testsOf(node: Located): readonly Located[] {
  return [...(node.get("tests")?.items() ?? []), ...(node.get("data_tests")?.items() ?? [])];
}

function readTest(table: string, node: Located, column: string | undefined): readonly ColumnTest[] {
  if (typeof node.value === "string") return toTest(table, node.value, column, {}) ?? [];
  return node.entries().flatMap(([name, test]) => {
    const own = (test.value ?? {}) as Record<string, unknown>;
    const named = (own.arguments ?? own) as Record<string, unknown>;
    return toTest(table, name, column, named) ?? [];
  });
}

function toTest(
  table: string,
  name: string,
  column: string | undefined,
  arguments_: Readonly<Record<string, unknown>>,
): readonly ColumnTest[] | undefined {
  const kind = name.split(".").at(-1);
  const combined = arguments_.combination_of_columns;
  if (kind === "unique_combination_of_columns" && Array.isArray(combined))
    return [{ table, columns: combined.map(String), says: { kind: "key" } }];
  if (column === undefined || !/^\w+$/.test(column)) return undefined;
  // A test of some rows says nothing of all.
  if (arguments_.where !== undefined) return undefined;
  if (kind === "unique") return [{ table, columns: [column], says: { kind: "key" } }];
  if (kind === "accepted_values" && Array.isArray(arguments_.values))
    return [{ table, columns: [column], says: { kind: "values", values: arguments_.values.map(String) } }];
  const target = /ref\(\s*(?:['"][^'"]+['"]\s*,\s*)?['"]([^'"]+)['"]/.exec(String(arguments_.to ?? ""))?.[1];
  if (kind !== "relationships" || !target || typeof arguments_.field !== "string") return undefined;
  return [{ table, columns: [column], says: { kind: "reference", table: target, column: arguments_.field } }];
}

interface Related {
  readonly datasets: readonly Dataset[];
  readonly relationships: readonly ModelRelationship[];
}

/** Keys, values of dimensions, and relationships between datasets that no entity joins. */
export function applyTests({ datasets, relationships }: Related, tests: readonly ColumnTest[]): Related {
  const tested = datasets.map((dataset) => {
    const own = tests.filter(({ table }) => isTable(dataset, table));
    const keys = own.filter(({ says }) => says.kind === "key").map(({ columns }) => columns);
    return {
      ...dataset,
      keys: [...dataset.keys, ...keys.filter((key, at) => !isListed(key, [...dataset.keys, ...keys.slice(0, at)]))],
      dimensions: dataset.dimensions.map((dimension) => withValues(dimension, own)),
    };
  });
  const found = tests.flatMap(({ table, columns: [column = ""], says }) => {
    const [from, to] = [
      tested.find((one) => isTable(one, table)),
      says.kind === "reference" && tested.find((one) => isTable(one, says.table)),
    ];
    const isKnown = relationships.some(
      (one) => [one.from, one.to].includes(from?.name ?? "") && to && [one.from, one.to].includes(to.name),
    );
    if (says.kind !== "reference" || !from || !to || isKnown || !isListed([says.column], to.keys)) return [];
    const relationship: ModelRelationship = {
      name: `${from.name}_${column}`,
      from: from.name,
      to: to.name,
      columns: [[column, says.column]],
      cardinality: "many_to_one",
    };
    return [relationship];
  });
  return { datasets: tested, relationships: [...relationships, ...found] };
}

function isTable({ table = "" }: Dataset, name: string): boolean {
  return table.split(".").at(-1)?.toLowerCase() === name.toLowerCase();
}

function isListed(key: readonly string[], keys: readonly (readonly string[])[]): boolean {
  return keys.some((known) => known.length === key.length && known.every((column) => key.includes(column)));
}

function withValues(dimension: Dimension, tests: readonly ColumnTest[]): Dimension {
  const column = dimension.expr ?? dimension.name;
  const found = tests.find(({ columns, says }) => says.kind === "values" && columns[0] === column);
  return found?.says.kind === "values" ? { ...dimension, values: found.says.values } : dimension;
}
