import type { AppState } from "../app-state.ts";
import { referencesIn, withoutReferences } from "../references.ts";
import type { Change } from "./plan.ts";

/** Resources that hold up the deletion of `targets` by referring to one, with the paths of the fields that do. */
export function referrersOf(
  state: AppState,
  targets: ReadonlySet<string>,
  targetType: string,
): readonly { readonly name: string; readonly paths: readonly string[] }[] {
  return [...state.entries.values()].flatMap(({ definition, resource }) => {
    if (targets.has(resource.name) || definition.rules.yieldsTo?.includes(targetType)) return [];
    const paths = referencesIn(definition.desc, resource)
      .filter(({ name }) => targets.has(name))
      .map(({ path }) => path);
    return paths.length === 0 ? [] : [{ name: resource.name, paths }];
  });
}

/** The changes that take every reference to `targets` out of the rest of the app, except out of recorded messages. */
export function detachments(state: AppState, targets: ReadonlySet<string>): readonly Change[] {
  return [...state.entries.values()].flatMap(({ definition, resource, row }): readonly Change[] => {
    if (targets.has(resource.name) || !row) return [];
    const depth = definition.rules.keepsRecordedReferences ? "top" : "all";
    const after = withoutReferences(definition.desc, resource, targets, depth);
    if (after === resource) return [];
    return [{ definition, name: resource.name, before: { resource, row }, after, fieldPrefix: "", isDependent: true }];
  });
}
