import type { SemanticModel, SemanticTable } from "#analytics";
import { tableLabel } from "../lexicon/names.ts";
import { roleOf, storedTables } from "../lexicon/roles.ts";
import { type JoinStep, tablesByPath, toStep } from "./join-step.ts";

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
  const byPath = tablesByPath(storedTables({ tables }));
  const steps = [
    ...relationships.flatMap((relationship) => toStep(relationship, byPath) ?? []),
    ...tables.flatMap((table) => {
      const role = roleOf(table);
      return role ? [{ ...role.reference, to: role }] : [];
    }),
  ];
  const distances = allDistances(tables, steps);
  return {
    path: (from, to, preferred) => bestPath(from, to, steps, preferred),
    distance: (from, to) => distances.get(from)?.get(to) ?? Number.POSITIVE_INFINITY,
  };
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
    .filter((step) => step.from === from && step.to !== from && !seen.includes(step.to))
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
