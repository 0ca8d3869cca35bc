import { createHash } from "node:crypto";
import type { Toolset } from "@frontdesk/protos/ces/toolset";
import { idOf } from "#aip";
import { collapseUnderscores, matchingNames } from "#base";
import { shortFunctionName } from "#models";

const DIGEST_LENGTH = 8;

/** Prefix of the function names of a toolset's tools (TSET-2): its display name, `-` as `_`. */
export function memberPrefix({ displayName, name }: Pick<Toolset, "displayName" | "name">): string {
  return `${(displayName || idOf(name)).replaceAll("-", "_")}_`;
}

/**
 * The function names of a toolset's tools, in the order of the ids: `<toolset>_<id>`, of any length (a provider with a limit gets a
 * short form). Characters that functions cannot have become `_`. A name that would occur twice by that ends in a digest, so that it does
 * not depend on the other tools of the toolset.
 */
export function memberNames(toolset: Pick<Toolset, "displayName" | "name">, ids: readonly string[]): readonly string[] {
  const prefix = memberPrefix(toolset);
  const plain = ids.map((id) => callable(`${prefix}${id}`));
  const seen = new Set<string>();
  const shared = new Set(plain.filter((name) => seen.has(name) || !seen.add(name)));
  return ids.map((id, position) => {
    const name = plain[position] ?? "";
    const isExact = name === `${prefix}${id}`;
    return isExact || !shared.has(name) ? name : withDigest(name, `${prefix}${id}`);
  });
}

/** The function name of one tool of a toolset, without regard to duplicates, which `memberNames` resolves. */
export function memberName(toolset: Pick<Toolset, "displayName" | "name">, id: string): string {
  return callable(`${memberPrefix(toolset)}${id}`);
}

function callable(requested: string): string {
  return requested.replaceAll(/[^\w-]/g, "_").replace(/^(?=[\d-])/, "_");
}

function withDigest(name: string, requested: string): string {
  const digest = createHash("sha256").update(requested).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name}_${digest}`;
}

/**
 * What has this function name: exactly, else the only one whose name differs in runs of underscores alone (TSET-12), else the one that
 * providers get this short name for, which conversations and code of earlier versions have.
 */
export function findByName<T>(byName: ReadonlyMap<string, T>, name: string): T | undefined {
  const exact = byName.get(name);
  if (exact !== undefined) return exact;
  const names = [...byName.keys()];
  const [only, another] = matchingNames(name, names);
  const meant = only !== undefined && another === undefined ? only : names.find((long) => isShortFormOf(name, long));
  return meant === undefined ? undefined : byName.get(meant);
}

/** Whether a name is what providers get for a longer one. */
function isShortFormOf(name: string, long: string): boolean {
  return [long, collapseUnderscores(long)].some((each) => name !== each && shortFunctionName(each) === name);
}
