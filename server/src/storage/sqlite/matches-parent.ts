import { type Expression, type SqlBool, sql } from "kysely";

/**
 * Whether a resource's parent matches a name with `-` for some segments. `glob` lets `*` run over slashes, so the number
 * of slashes is compared too: when both agree, each wildcard took exactly one segment.
 */
export function matchesParent(pattern: string): Expression<SqlBool> {
  const segments = pattern.split("/");
  const glob = segments.map((segment) => (segment === "-" ? "*" : escapeGlob(segment))).join("/");
  return sql<SqlBool>`(parent glob ${glob} and length(parent) - length(replace(parent, '/', '')) = ${segments.length - 1})`;
}

function escapeGlob(segment: string): string {
  return segment.replace(/[*?[]/g, (character) => `[${character}]`);
}
