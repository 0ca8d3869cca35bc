import { mapWithPauses } from "#base";
import type { FieldViolation } from "#status";
import type { ResourceRow } from "#storage";
import type { AppState } from "../app-state.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import { referencesIn, withoutReferences } from "../references.ts";
import type { Resource } from "../resource.ts";

/** The creation, update or deletion of a resource. */
export type Change = {
  readonly definition: ResourceDefinition;
  readonly name: string;
  /** The stored resource with its row; undefined for a new one. */
  readonly before?: { readonly resource: Resource; readonly row: ResourceRow };
  /** The resource to store, without etag and times; undefined for a deletion. */
  readonly after?: Resource;
  /** Put before field paths in violations, e.g. `agent.`. */
  readonly fieldPrefix: string;
  /** Violations of the request outside the resource (a malformed id): reported together with those inside. */
  readonly requestViolations?: readonly FieldViolation[];
  /** A consequence of another change of the plan: logged with that one, and not checked. */
  readonly isDependent?: boolean;
  /** From an export that marked it invalid: its dangling references are allowed. */
  readonly isKnownInvalid?: boolean;
};

/** The changes of one call to one app. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Prefixes of names that are deleted as a whole; each ends in `/`. */
  readonly deletedTrees?: readonly string[];
}

/** Makes a plan from the app's state. Called again when another server changed the app first. */
export type MakePlan = (state: AppState) => Promise<Plan>;

/** Resources that prevent the deletion of `targets` because they refer to one, with the paths of these fields. */
export async function referrersOf(
  state: AppState,
  targets: ReadonlySet<string>,
  targetType: string,
): Promise<readonly { readonly name: string; readonly paths: readonly string[] }[]> {
  const found = await mapWithPauses(state.entries.values(), ({ definition, resource }) => {
    if (targets.has(resource.name) || definition.rules.allowsDeletionOf?.includes(targetType)) return [];
    const paths = referencesIn(definition.desc, resource)
      .filter(({ name }) => targets.has(name))
      .map(({ path }) => path);
    return paths.length === 0 ? [] : [{ name: resource.name, paths }];
  });
  return found.flat();
}

/** The changes that remove all references to `targets` from the rest of the app, except in recorded messages. */
export async function referenceRemovals(state: AppState, targets: ReadonlySet<string>): Promise<readonly Change[]> {
  if (targets.size === 0) return [];
  const found = await mapWithPauses(state.entries.values(), ({ definition, resource, row }): readonly Change[] => {
    if (targets.has(resource.name) || !row) return [];
    const depth = definition.rules.keepsRecordedReferences ? "top" : "all";
    const after = withoutReferences(definition.desc, resource, targets, depth);
    if (after === resource) return [];
    return [{ definition, name: resource.name, before: { resource, row }, after, fieldPrefix: "", isDependent: true }];
  });
  return found.flat();
}
