import { idOf } from "#aip";
import { isSystemToolName } from "../../system-tools.ts";
import { KINDS, type Kind, type PackagedResource } from "../kinds.ts";
import type { FindTarget, Target } from "../references/resolve-references.ts";
import type { Before, NamedResource } from "./assign-names.ts";
import type { LeftOut } from "./parsed-package.ts";

/**
 * Where references of a package lead: to its own resources first, then to those that stay in the app, then to the system
 * tools. A full resource name is understood too, by its id.
 */
export function createFindTarget(
  resources: readonly NamedResource[],
  leftOut: readonly LeftOut[],
  before: Before,
): FindTarget {
  const known = new Map<string, string>();
  // Later entries win, so what has precedence comes last.
  for (const { kind, displayName, name } of stayingResources(before)) known.set(key(kind, displayName), name);
  for (const { kind, displayNames, name } of resources)
    for (const other of displayNames.slice(1)) known.set(key(kind, other), name);
  for (const { kind, displayNames, name } of resources) known.set(key(kind, displayNames[0]), name);
  const names = new Set(known.values());
  const missing = new Set(leftOut.flatMap(({ kind, displayNames }) => displayNames.map((name) => key(kind, name))));

  return (kind: Kind, reference: string): Target => {
    const name = known.get(key(kind, reference)) ?? byResourceName(kind, reference, before.app, names);
    if (name !== undefined) return { kind: "found", name };
    if (kind.part === "tools" && isSystemToolName(idOf(reference))) {
      return { kind: "found", name: `${before.app}/tools/${idOf(reference)}` };
    }
    return { kind: missing.has(key(kind, reference)) ? "left-out" : "missing" };
  };
}

function byResourceName(
  { part }: Kind,
  reference: string,
  app: string,
  names: ReadonlySet<string>,
): string | undefined {
  if (!reference.includes(`/${part}/`)) return undefined;
  const name = `${app}/${part}/${idOf(reference)}`;
  return names.has(name) ? name : undefined;
}

interface Staying {
  readonly kind: Kind;
  readonly displayName: string;
  readonly name: string;
}

function stayingResources({ tree, overwrite }: Before): readonly Staying[] {
  if (!tree) return [];
  return KINDS.filter(({ deletedByOverwrite }) => !(overwrite && deletedByOverwrite)).flatMap((kind) => {
    const existing: readonly PackagedResource[] = tree[kind.part];
    return existing.map(({ displayName, name }) => ({ kind, displayName, name }));
  });
}

function key({ part }: Kind, displayName: string): string {
  return `${part}/${displayName}`;
}
