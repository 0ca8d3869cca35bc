import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { referencedKind } from "../field-tables.ts";
import { KINDS, type PackagedResource } from "../kinds.ts";
import { rewriteStrings } from "../rewrite-strings.ts";
import type { ImportTarget, NamedResource } from "./assign-names.ts";

/**
 * Evaluations that stay in an overwritten app and refer to resources that get new ids: their references follow the display
 * names. An evaluation that would still have a dangling reference is not changed and becomes invalid.
 */
export function rebindEvaluations(target: ImportTarget, resources: readonly NamedResource[]): readonly Evaluation[] {
  const { tree, overwrite } = target;
  if (!tree || !overwrite) return [];
  const written = new Set(resources.map(({ name }) => name));
  const successors = successorsOf(target, resources);
  return tree.evaluations
    .filter(({ name }) => !written.has(name))
    .flatMap((evaluation) => rebind(evaluation, successors) ?? []);
}

/** From the name of every deleted resource to the new one of its kind and display name, if there is one. */
function successorsOf(
  { tree }: ImportTarget,
  resources: readonly NamedResource[],
): ReadonlyMap<string, string | undefined> {
  const names = new Map(resources.map(({ kind, displayNames, name }) => [`${kind.part}/${displayNames[0]}`, name]));
  const successors = new Map<string, string | undefined>();
  for (const { part } of KINDS.filter(({ deletedByOverwrite }) => deletedByOverwrite)) {
    const deleted: readonly PackagedResource[] = tree?.[part] ?? [];
    for (const { name, displayName } of deleted) successors.set(name, names.get(`${part}/${displayName}`));
  }
  return successors;
}

function rebind(evaluation: Evaluation, successors: ReadonlyMap<string, string | undefined>): Evaluation | undefined {
  let changed = false;
  let lost = false;
  const rebound = rewriteStrings(EvaluationSchema, evaluation, ({ field, value }) => {
    if (!referencedKind(field) || !successors.has(value)) return undefined;
    const successor = successors.get(value);
    if (successor === undefined) lost = true;
    else if (successor !== value) changed = true;
    return successor;
  });
  return changed && !lost ? rebound : undefined;
}
