import { createHash } from "node:crypto";
import type { Toolset } from "@frontdesk/protos/ces/toolset";

/** Longest function name that every model provider accepts, characters. */
const MAX_LENGTH = 64;
const DIGEST_LENGTH = 8;

/** Prefix of the function names of a toolset's tools (TSET-2): its display name, `-` as `_`. */
export function memberPrefix({ displayName, name }: Pick<Toolset, "displayName" | "name">): string {
  return `${(displayName || lastSegment(name)).replaceAll("-", "_")}_`;
}

/**
 * The function names of a toolset's tools, in the order of the ids: `<toolset>_<id>`. A name that models cannot call (at most 64
 * letters, digits, `_` and `-`, not beginning with a digit or `-`) is changed. A name that is too long or would occur twice ends in a
 * digest, so that it does not depend on the other tools of the toolset.
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

/** The function name of one tool of a toolset, without regard to duplicates, which `memberNames` resolves. */
export function memberName(toolset: Pick<Toolset, "displayName" | "name">, id: string): string {
  return callable(`${memberPrefix(toolset)}${id}`);
}

function callable(requested: string): string {
  const name = requested.replaceAll(/[^\w-]/g, "_").replace(/^(?=[\d-])/, "_");
  return name.length <= MAX_LENGTH ? name : withDigest(name, requested);
}

function withDigest(name: string, requested: string): string {
  const digest = createHash("sha256").update(requested).digest("hex").slice(0, DIGEST_LENGTH);
  return `${name.slice(0, MAX_LENGTH - DIGEST_LENGTH - 1)}_${digest}`;
}

function lastSegment(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
