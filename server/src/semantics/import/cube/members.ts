import { nonEmptyFields } from "#base";
import { type Located, textAt } from "../../files/located.ts";
import type { Described } from "../../model/model.ts";

/** A member in the SQL of a cube: `{CUBE}.column`, `{member}`, `{cube.member}`. */
const MEMBER = /\$?\{\s*([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?\s*\}(?:\.(?:"([^"]+)"|([A-Za-z_]\w*)))?/g;

/** What a piece in braces names: a column of the table, or a member of a cube. */
export interface Member {
  /** The cube; absent: the own one. */
  readonly cube?: string;
  readonly column?: string;
  readonly member?: string;
}

/** Replaces members in SQL. Undefined where `replace` is for one of them, or where there is a template of another kind. */
export function replaceMembers(
  sql: string,
  own: string,
  replace: (member: Member) => string | undefined,
): string | undefined {
  let isWhole = !/\{%|\{\{/.test(sql);
  const written = sql.replace(MEMBER, (_, first: string, second?: string, quoted?: string, column?: string) => {
    const cube = first === "CUBE" || first === own ? {} : { cube: first };
    const behind = quoted ?? column;
    const member: Member =
      behind !== undefined
        ? { ...cube, column: behind }
        : second !== undefined
          ? { ...cube, member: second }
          : { member: first };
    const text = replace(member);
    isWhole &&= text !== undefined;
    return text ?? "";
  });
  return isWhole && !/(?<!\$)\{/.test(written) ? written : undefined;
}

/** SQL over the columns and dimensions of one cube; undefined where it needs another, or a measure. */
export function rowExpression(sql: string, cube: Located): string | undefined {
  const name = textAt(cube, "name") ?? "";
  const dimensions = new Set((cube.get("dimensions")?.items() ?? []).map((dimension) => textAt(dimension, "name")));
  return replaceMembers(sql, name, ({ cube: other, column, member }) => {
    if (other !== undefined) return undefined;
    if (column !== undefined) return column;
    return dimensions.has(member) ? `\${${member}}` : undefined;
  });
}

/** Title and description of a cube or a member. */
export function cubeDescribed(node: Located): Described {
  const [label, description] = [textAt(node, "title"), textAt(node, "description")];
  return nonEmptyFields({ label, description });
}
