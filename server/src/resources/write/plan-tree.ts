import { applyUpdate, etagOf, hasPattern, setUnknownFields, unknownFieldsOf } from "#aip";
import { mapWithPauses } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { AppState } from "../app-state.ts";
import type { AppTree, AppTreePart, WriteTreeOptions } from "../contract.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import { definitionOfTypeName } from "../definitions.ts";
import type { Resource } from "../resource.ts";
import { appOf } from "../resource-names.ts";
import { writableCopy } from "./create-resource.ts";
import type { Change, Plan } from "./plan.ts";
import { referenceRemovals } from "./plan.ts";

const PARTS: Readonly<Record<AppTreePart, string>> = {
  agents: "Agent",
  tools: "Tool",
  toolsets: "Toolset",
  guardrails: "Guardrail",
  examples: "Example",
  evaluations: "Evaluation",
  evaluationDatasets: "EvaluationDataset",
  evaluationExpectations: "EvaluationExpectation",
};
const PACKAGE = "google.cloud.ces.v1beta";

/** The changes that make an app's stored resources those of a tree; no change where nothing differs. */
export async function planTree(
  state: AppState,
  tree: AppTree,
  { replaceApp = true, deleteOthers = [] }: WriteTreeOptions,
): Promise<Plan> {
  const named = resourcesOf(tree);
  await checkNames(named, tree.app.name);
  const writes = named.filter(({ resource }) => replaceApp || !state.app || resource !== tree.app);
  const deletions = deletionsOf(state, named, deleteOthers);
  // Resources that stay lose their references to deleted ones, unless the tree replaces them.
  const written = new Set(writes.map(({ resource }) => resource.name));
  const removals = await referenceRemovals(state, new Set(deletions.map(({ name }) => name)));
  const detached = removals.filter(({ name }) => !written.has(name));
  const changes = await mapWithPauses(writes, (each) => toChange(state, each));
  return { changes: [...changes.flat(), ...deletions, ...detached] };
}

interface Named {
  readonly definition: ResourceDefinition;
  readonly resource: Resource;
  /** Path in the tree, for violations. */
  readonly path: string;
}

function resourcesOf(tree: AppTree): readonly Named[] {
  const parts = Object.keys(PARTS) as AppTreePart[];
  const below = parts.flatMap((part) =>
    (tree[part] as readonly Resource[]).map((resource) => ({
      resource,
      path: resource.name,
      definition: definitionOfTypeName(resource.$typeName),
    })),
  );
  return [{ resource: tree.app, path: "app", definition: definitionOfTypeName(tree.app.$typeName) }, ...below];
}

async function checkNames(named: readonly Named[], app: string): Promise<void> {
  const seen = new Set<string>();
  const found = await mapWithPauses(named, ({ definition, resource: { name }, path }): readonly FieldViolation[] => {
    const isRepeated = seen.has(name);
    seen.add(name);
    if (isRepeated) return [{ field: `${path}.name`, description: `The name '${name}' is used twice.` }];
    const fits = appOf(name) === app && hasPattern(definition.type.patterns[0], name);
    return fits
      ? []
      : [
          {
            field: `${path}.name`,
            description: `'${name}' is not a name of the form ${definition.type.patterns[0].text} in ${app}.`,
          },
        ];
  });
  const violations = found.flat();
  if (violations.length > 0) throw invalidArgument(violations);
}

function toChange(state: AppState, { definition, resource, path }: Named): readonly Change[] {
  const { name } = resource;
  const entry = state.entries.get(name);
  const fresh = writableCopy(definition, resource, name);
  const replaced = entry?.row ? applyUpdate(definition.desc, entry.resource, fresh, ["*"]) : fresh;
  setUnknownFields(replaced, unknownFieldsOf(fresh));
  const after = definition.rules.normalize?.(replaced, state.name) ?? replaced;
  const isKnownInvalid = (resource as { readonly invalid?: boolean }).invalid === true;
  const change: Change = { definition, name, after, fieldPrefix: `${path}.`, isKnownInvalid };
  if (!entry?.row) return [change];
  const isSame = etagOf(definition.desc, after) === entry.row.etag;
  return isSame ? [] : [{ ...change, before: { resource: entry.resource, row: entry.row } }];
}

function deletionsOf(state: AppState, named: readonly Named[], parts: readonly AppTreePart[]): readonly Change[] {
  const kept = new Set(named.map(({ resource }) => resource.name));
  const deletableTypes = new Set(parts.map((part) => `${PACKAGE}.${PARTS[part]}`));
  return [...state.entries.values()].flatMap(({ definition, resource, row }): readonly Change[] =>
    row && deletableTypes.has(definition.desc.typeName) && !kept.has(resource.name)
      ? [{ definition, name: resource.name, before: { resource, row }, fieldPrefix: "" }]
      : [],
  );
}
