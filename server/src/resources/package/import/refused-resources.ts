import { type FieldViolation, fieldViolationsOf } from "#status";
import type { Findings } from "../findings.ts";
import type { NamedResource } from "./assign-names.ts";
import { fault, type OmittedResource, reportOmitted } from "./parsed-package.ts";

/** A resource that the rules of the app refuse. */
interface RefusedResource extends OmittedResource {
  /** Resource name. */
  readonly name: string;
}

/**
 * The resources of a package that an INVALID_ARGUMENT of the write is about, reported as omitted. Faults of agents and of the app become
 * violations, because the rest cannot do without them; all name the manifest instead of the resource, whose id can be a new one. Rethrows any
 * other error.
 */
export function refusedResources(
  error: unknown,
  resources: readonly NamedResource[],
  appPath: string,
  findings: Findings,
): readonly RefusedResource[] {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  // One without a field counts those that are not told; they are found when the rest is written without the others.
  const reported = fieldViolationsOf(error).filter(({ field }) => field !== "");
  const owned = reported.map((violation) => ({ violation, owner: ownerOf(violation, byName) }));
  if (owned.length === 0 || owned.some(({ owner }) => owner === undefined)) throw error;
  const spared = sparedOwner(owned);
  const refused: RefusedResource[] = [];
  for (const [owner, faults] of Map.groupBy(owned, (each) => each.owner)) {
    if (owner === undefined || owner === spared) continue;
    const reported = faults.map(({ violation }) => inPackage(violation, owner, byName, appPath));
    if (owner === "app" || owner.kind.part === "agents") findings.violations.push(...reported);
    else
      refused.push({
        kind: owner.kind,
        displayNames: owner.displayNames,
        name: owner.name,
        reasons: reported.map(fault),
      });
  }
  for (const resource of refused) reportOmitted(resource, findings);
  return refused;
}

type Owner = NamedResource | "app";

interface OwnedViolation {
  readonly violation: FieldViolation;
  readonly owner: Owner | undefined;
}

/**
 * Of resources that have the same name, which each is refused for, the one to keep: the first that states its name. A name can come of the
 * content, e.g. that of a Python function.
 */
function sparedOwner(owned: readonly OwnedViolation[]): Owner | undefined {
  const isName = ({ violation, owner }: OwnedViolation) =>
    owner !== undefined && owner !== "app" && violation.field === `${owner.name}.display_name`;
  const candidates = owned.filter(
    (each) => isName(each) && owned.every((other) => other.owner !== each.owner || isName(other)),
  );
  if (candidates.length < 2) return undefined;
  return candidates.find(({ owner }) => owner !== "app" && owner && statesName(owner))?.owner ?? candidates[0]?.owner;
}

function statesName({ message }: NamedResource): boolean {
  return message.$typeName !== "google.cloud.ces.v1beta.Tool" || message.toolType.value?.name !== "";
}

/** Fields of a tree begin with the resource's name, or with `app`. Undefined for a resource that is not the package's. */
function ownerOf({ field }: FieldViolation, byName: ReadonlyMap<string, NamedResource>): Owner | undefined {
  if (field.startsWith("app.")) return "app";
  // An id may have dots, so the name ends at any of those after its last slash.
  const end = field.lastIndexOf("/") + 1;
  for (let dot = field.indexOf(".", end); dot >= 0; dot = field.indexOf(".", dot + 1)) {
    const owner = byName.get(field.slice(0, dot));
    if (owner) return owner;
  }
  return undefined;
}

function inPackage(
  { field, description }: FieldViolation,
  owner: Owner,
  byName: ReadonlyMap<string, NamedResource>,
  appPath: string,
): FieldViolation {
  const [path, prefix] = owner === "app" ? [appPath, "app"] : [owner.path, owner.name];
  const place = field.slice(prefix.length + 1).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const reported = description.replace(RESOURCE_NAME, (name) => byName.get(name)?.path ?? name);
  return { field: `${path}: ${place}`, description: reported };
}

/** Names of resources below an app in a sentence. */
const RESOURCE_NAME =
  /projects\/[^/\s']+\/locations\/[^/\s']+\/apps\/[^/\s']+\/[A-Za-z]+\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*/g;
