import type { Ids } from "#base";
import type { AppTree } from "../../contract.ts";
import { isSystemToolName } from "../../system-tools.ts";
import type { Findings } from "../findings.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import type { ParsedResource } from "./parsed-package.ts";

/** A resource of a package with its resource name. */
export interface NamedResource extends ParsedResource {
  readonly name: string;
}

/** The app that an import writes, as it is before the import. */
export interface ImportTarget {
  /** App resource name. */
  readonly app: string;
  /** Undefined when the import creates the app. */
  readonly tree: AppTree | undefined;
  /** Whether agents, tools, examples, guardrails and toolsets are deleted first. */
  readonly overwrite: boolean;
}

/**
 * Assigns resource names. A resource that replaces one with the same display name gets its id: always for evaluations, their
 * expectations and datasets, whose ids never change (PKG-27), and for all kinds unless the import overwrites. Any other
 * resource gets the id of its manifest, or a new one.
 */
export function assignNames(
  resources: readonly ParsedResource[],
  target: ImportTarget,
  ids: Ids,
  findings: Findings,
): readonly NamedResource[] {
  const replaceable = replaceableNames(target);
  const replaced = resources.map(({ kind, displayNames: [name] }) => replaceable.get(kind)?.get(name));
  const taken = new Set([...keptNames(target), ...replaced.flatMap((name) => name ?? [])]);
  return resources.map((resource, index) => {
    const name = replaced[index] ?? newName(resource, target.app, taken, ids, findings);
    taken.add(name);
    return { ...resource, name };
  });
}

/** Names of the resources that an import replaces, by kind and display name. */
function replaceableNames({ tree, overwrite }: ImportTarget): ReadonlyMap<Kind, ReadonlyMap<string, string>> {
  const kinds = tree ? KINDS.filter(({ deletedByOverwrite }) => !(overwrite && deletedByOverwrite)) : [];
  return new Map(
    kinds.map((kind) => {
      const existing: readonly PackagedResource[] = tree?.[kind.part] ?? [];
      // Of several with a display name the first counts.
      return [kind, new Map(existing.toReversed().map(({ displayName, name }) => [displayName, name]))];
    }),
  );
}

/** Names of resources that stay, so that no new resource can have them. */
function keptNames({ tree, overwrite }: ImportTarget): readonly string[] {
  if (!tree) return [];
  return KINDS.filter(({ deletedByOverwrite }) => !(overwrite && deletedByOverwrite)).flatMap(({ part }) => {
    const existing: readonly PackagedResource[] = tree[part];
    return existing.map(({ name }) => name);
  });
}

/** The form of a resource id; packages have words as well as UUIDs. */
const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;

function newName(
  { kind, path, id }: ParsedResource,
  app: string,
  taken: ReadonlySet<string>,
  ids: Ids,
  { warnings }: Findings,
): string {
  const requested = `${app}/${kind.part}/${id}`;
  if (kind.part === "tools" && isSystemToolName(id)) {
    warnings.push(`${path}: name: the id '${id}' belongs to a system tool; a new id was generated.`);
    return `${app}/${kind.part}/${ids.uuid()}`;
  }
  if (ID.test(id) && !taken.has(requested)) return requested;
  if (ID.test(id))
    warnings.push(`${path}: name: the id '${id}' belongs to another ${kind.label}; a new id was generated.`);
  else if (id !== "") warnings.push(`${path}: name: '${id}' cannot be an id; a new one was generated.`);
  return `${app}/${kind.part}/${ids.uuid()}`;
}
