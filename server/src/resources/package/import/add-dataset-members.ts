import { create } from "@bufbuild/protobuf";
import { type EvaluationDataset, EvaluationDatasetSchema } from "@frontdesk/protos/ces/evaluation";
import type { AppTree } from "../../contract.ts";
import type { Findings } from "../findings.ts";
import { type Kind, kindOfType } from "../kinds.ts";
import type { ImportTarget } from "./assign-names.ts";
import type { ParsedResource } from "./parsed-package.ts";

/**
 * The resources of a package with every membership in its dataset. An evaluation's `evaluationDatasets` is derived from the datasets, so
 * what only the evaluation states is added to the dataset: the package's, else the app's, else a new one with a warning (PKG-29).
 */
export function addDatasetMembers(
  resources: readonly ParsedResource[],
  { tree }: Pick<ImportTarget, "tree">,
  findings: Findings,
): readonly ParsedResource[] {
  const kind = kindOfType("ces.googleapis.com/EvaluationDataset");
  const memberships = membershipsOf(resources);
  if (!kind || memberships.size === 0) return resources;
  const own = resources.map((resource) => {
    const [displayName] = resource.displayNames;
    const members = resource.kind === kind ? memberships.get(displayName) : undefined;
    if (!members) return resource;
    memberships.delete(displayName);
    return { ...resource, message: withMembers(resource.message as EvaluationDataset, members) };
  });
  const others = [...memberships].map(([displayName, members]) => {
    const stored = storedDataset(displayName, tree);
    const message = withMembers(stored ?? newDataset(displayName, members, findings), members);
    return resourceOf(kind, displayName, message, members);
  });
  return [...own, ...others];
}

/** The evaluations that name a dataset, by its display name. */
function membershipsOf(resources: readonly ParsedResource[]): Map<string, ParsedResource[]> {
  const named = resources.flatMap((resource) =>
    resource.message.$typeName === "google.cloud.ces.v1beta.Evaluation"
      ? resource.message.evaluationDatasets.map((dataset) => ({ dataset, resource }))
      : [],
  );
  // A resource name is a reference to a dataset that exists: `resolvePackage` looks it up.
  const byDisplayName = named.filter(({ dataset }) => dataset !== "" && !dataset.includes("/evaluationDatasets/"));
  return new Map(
    [...Map.groupBy(byDisplayName, ({ dataset }) => dataset)].map(([dataset, members]) => [
      dataset,
      members.map(({ resource }) => resource),
    ]),
  );
}

function withMembers(dataset: EvaluationDataset, members: readonly ParsedResource[]): EvaluationDataset {
  const names = members.map(({ displayNames }) => displayNames[0]);
  return { ...dataset, evaluations: [...new Set([...dataset.evaluations, ...names])] };
}

/** A dataset of the app, its evaluations by display name as in a package. */
function storedDataset(displayName: string, tree: AppTree | undefined): EvaluationDataset | undefined {
  const stored = tree?.evaluationDatasets.find((dataset) => dataset.displayName === displayName);
  const displayNames = new Map(tree?.evaluations.map((evaluation) => [evaluation.name, evaluation.displayName]));
  return stored && { ...stored, evaluations: stored.evaluations.map((name) => displayNames.get(name) ?? name) };
}

function newDataset(
  displayName: string,
  members: readonly ParsedResource[],
  { warnings }: Findings,
): EvaluationDataset {
  const place = `${members[0]?.path ?? ""}: evaluationDatasets`;
  warnings.push(
    `${place}: the package has no dataset '${displayName}'; it was created with the evaluations that name it.`,
  );
  return create(EvaluationDatasetSchema, { displayName });
}

function resourceOf(
  kind: Kind,
  displayName: string,
  message: EvaluationDataset,
  members: readonly ParsedResource[],
): ParsedResource {
  return { kind, path: members[0]?.path ?? "", displayNames: [displayName], id: "", message };
}
