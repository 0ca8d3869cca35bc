import { createHash } from "node:crypto";
import type { Toolset } from "@frontdesk/protos/ces/toolset";

/** Longest name that every model provider takes, characters. */
const LONGEST = 64;
const HASH = 8;

/** What the names of a toolset's tools begin with (TSET-2): its display name, `-` as `_`. */
export function memberPrefix({ displayName, name }: Pick<Toolset, "displayName" | "name">): string {
  return `${(displayName || lastSegment(name)).replaceAll("-", "_")}_`;
}

/**
 * The names under which model and user code call a toolset's tools, in the order of the ids: `<toolset>_<id>`. Where that is
 * nothing that models can call (64 letters, digits, `_` and `-`, not beginning with a digit or `-`), or two ids would get one
 * name, it is changed and ends in a digest of the whole, so that it stays the same whatever else the toolset has.
 */
export function memberNames(toolset: Pick<Toolset, "displayName" | "name">, ids: readonly string[]): readonly string[] {
  const prefix = memberPrefix(toolset);
  const plain = ids.map((id) => callable(`${prefix}${id}`));
  return ids.map((id, position) => {
    const name = plain[position] ?? "";
    const isExact = name === `${prefix}${id}`;
    const isShared = plain.some((other, place) => place !== position && other === name);
    return isExact || !isShared ? name : withDigest(name, `${prefix}${id}`);
  });
}

/** The name under which a tool of a toolset is called, seen by itself; `memberNames` knows when two would have it. */
export function memberName(toolset: Pick<Toolset, "displayName" | "name">, id: string): string {
  return callable(`${memberPrefix(toolset)}${id}`);
}

function callable(wanted: string): string {
  const name = wanted.replaceAll(/[^\w-]/g, "_").replace(/^(?=[\d-])/, "_");
  return name.length <= LONGEST ? name : withDigest(name, wanted);
}

function withDigest(name: string, wanted: string): string {
  const digest = createHash("sha256").update(wanted).digest("hex").slice(0, HASH);
  return `${name.slice(0, LONGEST - HASH - 1)}_${digest}`;
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
