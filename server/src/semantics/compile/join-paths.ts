import type { ModelDefinition, ModelRelationship } from "../model/model.ts";

/** One join from rows to at most one row each. */
interface JoinStep {
  readonly relationship: ModelRelationship;
  /** Dataset that is joined. */
  readonly to: string;
  /** Pairs of a column of the rows before and one of the joined dataset. */
  readonly columns: readonly (readonly [string, string])[];
}

export type JoinPath = readonly JoinStep[];

/** Joins in a row, at most. */
const MAX_STEPS = 8;

/** All ways from a dataset to another that repeat no row, the shortest first. */
export function joinPaths(model: ModelDefinition, from: string, to: string): readonly JoinPath[] {
  const found: JoinPath[] = [];
  const visit = (at: string, path: JoinPath, seen: readonly string[]) => {
    if (at === to && path.length > 0) found.push(path);
    if (at === to || path.length >= MAX_STEPS) return;
    for (const step of stepsFrom(model, at))
      if (!seen.includes(step.to)) visit(step.to, [...path, step], [...seen, step.to]);
  };
  visit(from, [], [from]);
  return found.sort((one, other) => one.length - other.length);
}

function stepsFrom({ relationships }: ModelDefinition, at: string): readonly JoinStep[] {
  return relationships.flatMap((relationship): readonly JoinStep[] => {
    const { from, to, columns, cardinality } = relationship;
    if (cardinality === "many_to_many") return [];
    if (from === at) return [{ relationship, to, columns }];
    if (to !== at || cardinality !== "one_to_one") return [];
    return [{ relationship, to: from, columns: columns.map(([own, other]) => [other, own] as const) }];
  });
}

/** Whether datasets are connected at all, if only by joins that would repeat rows. */
export function isConnected({ relationships }: ModelDefinition, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const at of reached)
    for (const { from: left, to: right } of relationships) {
      if (left === at) reached.add(right);
      if (right === at) reached.add(left);
    }
  return reached.has(to);
}
