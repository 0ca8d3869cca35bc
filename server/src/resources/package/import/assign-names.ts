import type { Ids } from "#base";
import type { AppTree } from "../../contract.ts";
import type { Findings } from "../findings.ts";
import { KINDS, type PackagedResource } from "../kinds.ts";
import type { ParsedResource } from "./parsed-package.ts";

/** A resource of a package with the resource name it gets. */
export interface NamedResource extends ParsedResource {
  readonly name: string;
}

/** What is in the target app before the import. */
export interface Before {
  /** App resource name. */
  readonly app: string;
  /** Undefined when the import creates the app. */
  readonly tree: AppTree | undefined;
  /** Whether agents, tools, examples, guardrails and toolsets are deleted first. */
  readonly overwrite: boolean;
}

/**
 * Gives every resource of a package its name. A resource that replaces one of the same display name takes over its id:
 * always for evaluations, their expectations and datasets, which never change id (PKG-27), and for all kinds unless
 * the import overwrites. Any other gets the id of its manifest, or a new one.
 */
export function assignNames(
  resources: readonly ParsedResource[],
  before: Before,
  ids: Ids,
  findings: Findings,
): readonly NamedResource[] {
  const replaced = resources.map((resource) => replacedName(resource, before));
  const taken = new Set([...keptNames(before), ...replaced.flatMap((name) => name ?? [])]);
  return resources.map((resource, index) => {
    const name = replaced[index] ?? newName(resource, before.app, taken, ids, findings);
    taken.add(name);
    return { ...resource, name };
  });
}

function replacedName({ kind, displayNames }: ParsedResource, { tree, overwrite }: Before): string | undefined {
  if (!tree || (overwrite && kind.deletedByOverwrite)) return undefined;
  const existing: readonly PackagedResource[] = tree[kind.part];
  return existing.find(({ displayName }) => displayName === displayNames[0])?.name;
}

/** Names that stay in use, so that no new resource may have them. */
export function keptNames({ tree, overwrite }: Before): readonly string[] {
  if (!tree) return [];
  return KINDS.filter(({ deletedByOverwrite }) => !(overwrite && deletedByOverwrite)).flatMap(({ part }) => {
    const existing: readonly PackagedResource[] = tree[part];
    return existing.map(({ name }) => name);
  });
}

/** What a last segment of a resource name can be; packages hold invented words as well as UUIDs. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;

function newName(
  { kind, path, id }: ParsedResource,
  app: string,
  taken: ReadonlySet<string>,
  ids: Ids,
  { warnings }: Findings,
): string {
  const wanted = `${app}/${kind.part}/${id}`;
  if (ID.test(id) && !taken.has(wanted)) return wanted;
  if (ID.test(id)) warnings.push(`${path}: name: the id '${id}' belongs to another ${kind.label}; a new id was made.`);
  else if (id !== "") warnings.push(`${path}: name: '${id}' cannot be an id; a new one was made.`);
  return `${app}/${kind.part}/${ids.uuid()}`;
}
