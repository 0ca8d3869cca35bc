import type { TablePath } from "../../contract.ts";
import { replaceNames } from "../../statement-check/replace-names.ts";
import type { NamedTable } from "../../statement-check/statement-check.ts";
import { tableKey } from "../../table-key.ts";

/** Tables found in scope, or why one was not. */
type Resolution =
  | { readonly kind: "found"; readonly sql: string; readonly tables: readonly TablePath[] }
  | { readonly kind: "unknown"; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: "ambiguous"; readonly name: string; readonly candidates: readonly string[] };

/**
 * Resolves each named table among those in scope and replaces its name by the whole one, so that DuckDB has nothing left to look
 * up: neither files nor tables of other contexts. Names may leave out their outer parts; case matters only among names that differ
 * in nothing else.
 */
export function qualifyTables(
  sql: string,
  named: readonly NamedTable[],
  scope: readonly TablePath[],
  quote: (path: TablePath) => string,
): Resolution {
  const found: { readonly path: TablePath; readonly at: number; readonly parts: number }[] = [];
  for (const { parts, at } of named) {
    const candidates = candidatesFor(parts, scope);
    const [path] = candidates;
    if (!path) return { kind: "unknown", name: parts.join("."), known: scope.map(dotted) };
    if (candidates.length > 1) return { kind: "ambiguous", name: parts.join("."), candidates: candidates.map(dotted) };
    found.push({ path, at, parts: parts.length });
  }
  const written = replaceNames(
    sql,
    found.map(({ path, ...position }) => ({ ...position, text: quote(path) })),
  );
  return { kind: "found", sql: written, tables: unique(found.map(({ path }) => path)) };
}

/** Tables whose names end in these parts, in any case; where several differ in case alone, the one that is spelled so. */
export function candidatesFor(parts: readonly string[], scope: readonly TablePath[]): readonly TablePath[] {
  const folded = scope.filter((path) => isTail(path.slice(-parts.length), parts, (part) => part.toLowerCase()));
  const differInCaseAlone = new Set(folded.map((path) => tableKey(path).toLowerCase())).size === 1;
  if (folded.length < 2 || !differInCaseAlone) return folded;
  const exact = folded.filter((path) => isTail(path.slice(-parts.length), parts, (part) => part));
  return exact.length > 0 ? exact : folded;
}

function isTail(tail: TablePath, parts: readonly string[], as: (part: string) => string): boolean {
  return tail.length === parts.length && parts.every((part, at) => as(part) === as(tail[at] ?? ""));
}

function dotted(path: TablePath): string {
  return path.join(".");
}

function unique(paths: readonly TablePath[]): readonly TablePath[] {
  return [...new Map(paths.map((path) => [tableKey(path), path])).values()];
}
