import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from "kysely";
import type { Tables } from "./tables.ts";

/** The name itself and everything below it, as a condition that an index on `name` answers. */
export function inTree<Table extends "resources" | "conversations">(
  builder: ExpressionBuilder<Tables, Table>,
  name: string,
): ExpressionWrapper<Tables, Table, SqlBool> {
  // Both tables have the column; the generic builder cannot tell.
  const typed = builder as unknown as ExpressionBuilder<Tables, "resources">;
  const [from, to] = childRange(name);
  const condition = typed.or([
    typed("name", "=", name),
    typed.and([typed("name", ">=", from), typed("name", "<", to)]),
  ]);
  return condition as unknown as ExpressionWrapper<Tables, Table, SqlBool>;
}

/** Bounds of the names below a name: from inclusive, to exclusive. `0` is the character after `/`. */
export function childRange(name: string): readonly [from: string, to: string] {
  const stem = name.endsWith("/") ? name.slice(0, -1) : name;
  return [`${stem}/`, `${stem}0`];
}
