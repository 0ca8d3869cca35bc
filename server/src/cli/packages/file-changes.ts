import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import type { PackageFiles } from "#app";
import { styled } from "../output/style.ts";

/** A file that is not the same in two packages. */
export interface FileChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "deleted";
  /** Undefined: it was added. */
  readonly before: Uint8Array | undefined;
  /** Undefined: it was deleted. */
  readonly after: Uint8Array | undefined;
}

/**
 * What changes from one package to another, by path. Manifests with the same values are the same, however they are written, and texts that differ in
 * the ends of their lines alone: a checkout on Windows has others.
 */
export function changesBetween(before: PackageFiles, after: PackageFiles): readonly FileChange[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path): readonly FileChange[] => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old && now) return isSame(path, old, now) ? [] : [{ path, kind: "changed", before: old, after: now }];
    return [{ path, kind: now ? "added" : "deleted", before: old, after: now }];
  });
}

function isSame(path: string, one: Uint8Array, other: Uint8Array): boolean {
  if (Buffer.compare(one, other) === 0) return true;
  if (withoutReturns(one) === withoutReturns(other)) return true;
  return /\.(json|ya?ml)$/.test(path) && isDeepStrictEqual(parsed(one), parsed(other));
}

function withoutReturns(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
}

/** JSON is YAML, too, but takes that parser fifty times as long. */
const PARSERS: readonly ((text: string) => unknown)[] = [JSON.parse, parse];

/** A file that cannot be parsed is the same as nothing but its own bytes. */
function parsed(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes).toString("utf8");
  for (const read of PARSERS) {
    try {
      return read(text);
    } catch {
      // Not of this form.
    }
  }
  return bytes;
}

const SIGNS = { added: "+", changed: "~", deleted: "-" } as const;
const STYLES = { added: "green", changed: "yellow", deleted: "red" } as const;

/** The changes for people, one a line, and how many of each. `isDry`: they were not made. */
export function changesText(changes: readonly FileChange[], isDry = false): string {
  if (changes.length === 0) return "Nothing differs.";
  const lines = changes.map(({ path, kind }) => styled(STYLES[kind], `${SIGNS[kind]} ${path}`));
  const counts = (Object.keys(SIGNS) as FileChange["kind"][]).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${isDry ? "would be " : ""}${kind}`];
  });
  return [...lines, "", `${counts.join(", ")}.`].join("\n");
}

/** The changes for programs. */
export function changesValue(changes: readonly FileChange[]): { name: string; change: string }[] {
  return changes.map(({ path, kind }) => ({ name: path, change: kind }));
}
