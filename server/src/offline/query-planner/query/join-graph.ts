import type { Relationship, SemanticModel, SemanticTable } from "#analytics";
import { tableLabel } from "../lexicon/names.ts";

/** A many-to-one join. */
export interface JoinStep {
  readonly from: SemanticTable;
  readonly to: SemanticTable;
  readonly columns: readonly (readonly [from: string, to: string])[];
  /** Whether nobody declared it. */
  readonly proposed: boolean;
}

/** The join graph of a model. */
export interface Joins {
  /** The many-to-one joins from `from` to `to`; `ways` counts equally short paths. */
  path(from: SemanticTable, to: SemanticTable, preferred: ReadonlySet<string>): Path | undefined;
  /** Fewest joins between two tables in any direction, by label; Infinity without a path. */
  distance(from: string, to: string): number;
}

interface Path {
  readonly steps: readonly JoinStep[];
  /** The number of equally short paths, itself included. */
  readonly ways: number;
}

const graphs = new WeakMap<SemanticModel, Joins>();

/** The join graph of a model, computed once. */
export function joinsOf(model: SemanticModel): Joins {
  let graph = graphs.get(model);
  if (!graph) {
    graph = buildGraph(model);
    graphs.set(model, graph);
  }
  return graph;
}

function buildGraph({ tables, relationships }: SemanticModel): Joins {
  const byPath = new Map(tables.map((table) => [table.schema.path.join("\0"), table]));
  const steps = relationships.flatMap((relationship) => toStep(relationship, byPath) ?? []);
  const distances = allDistances(tables, steps);
  return {
    path: (from, to, preferred) => bestPath(from, to, steps, preferred),
    distance: (from, to) => distances.get(from)?.get(to) ?? Number.POSITIVE_INFINITY,
  };
}

/** The direction of a join: the side whose columns are its key is the "one" side. */
function toStep(relationship: Relationship, tables: ReadonlyMap<string, SemanticTable>): JoinStep | undefined {
  const left = tables.get(relationship.left.join("\0"));
  const right = tables.get(relationship.right.join("\0"));
  if (!left || !right) return undefined;
  const { leftColumns, rightColumns, proposed = false } = relationship;
  const pairs = leftColumns.map((column, at): [string, string] => [column, rightColumns[at] ?? column]);
  if (isKeyOf(left, leftColumns) && !isKeyOf(right, rightColumns)) {
    return { from: right, to: left, columns: pairs.map(([mine, theirs]) => [theirs, mine]), proposed };
  }
  return { from: left, to: right, columns: pairs, proposed };
}

function isKeyOf({ schema }: SemanticTable, columns: readonly string[]): boolean {
  const key = schema.primaryKey ?? [];
  return key.length === columns.length && key.every((name) => columns.includes(name));
}

/** The shortest path; of equal length, the one through mentioned tables. */
function bestPath(
  from: SemanticTable,
  to: SemanticTable,
  steps: readonly JoinStep[],
  preferred: ReadonlySet<string>,
): Path | undefined {
  const paths = allPaths(from, to, steps, []);
  const cost = (path: readonly JoinStep[]) =>
    path.length - 4 * path.slice(0, -1).filter(({ to: through }) => preferred.has(tableLabel(through))).length;
  const [best, ...others] = paths.toSorted((left, right) => cost(left) - cost(right));
  if (!best) return undefined;
  return {
    steps: best,
    ways: 1 + others.filter((path) => path.length <= best.length + 1 && cost(path) >= 0 && cost(best) >= 0).length,
  };
}

function allPaths(
  from: SemanticTable,
  to: SemanticTable,
  steps: readonly JoinStep[],
  seen: readonly SemanticTable[],
): readonly (readonly JoinStep[])[] {
  if (from === to) return [[]];
  if (seen.length > 5) return [];
  return steps
    .filter((step) => step.from === from && !seen.includes(step.to))
    .flatMap((step) => allPaths(step.to, to, steps, [...seen, from]).map((rest) => [step, ...rest]));
}

function allDistances(tables: readonly SemanticTable[], steps: readonly JoinStep[]) {
  const neighbours = new Map(tables.map((table) => [tableLabel(table), new Set<string>()]));
  for (const { from, to } of steps) {
    neighbours.get(tableLabel(from))?.add(tableLabel(to));
    neighbours.get(tableLabel(to))?.add(tableLabel(from));
  }
  return new Map([...neighbours.keys()].map((start) => [start, distancesFrom(start, neighbours)]));
}

function distancesFrom(
  start: string,
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, number> {
  const distances = new Map([[start, 0]]);
  for (const [name, distance] of distances) {
    for (const next of neighbours.get(name) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  }
  return distances;
}
