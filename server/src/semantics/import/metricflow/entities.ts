import { type Located, textAt } from "../../files/located.ts";
import type { Notes } from "../../files/notes.ts";
import type { ModelRelationship } from "../../model/model.ts";

/** An entity of a semantic model: what rows are of, or refer to. */
export interface Entity {
  readonly dataset: string;
  readonly name: string;
  readonly type: "primary" | "unique" | "foreign";
  readonly expr: string;
  /** The column, or the dimension that has the expression. */
  readonly column: string;
}

/** The entities of a semantic model. One of a type that is not known is left out, with a note. */
export function readEntities(node: Located, notes: Notes): readonly Entity[] {
  const dataset = textAt(node, "name") ?? "";
  return (node.get("entities")?.items() ?? []).flatMap((entity): readonly Entity[] => {
    const [name = "", expr = name, type = ""] = [
      textAt(entity, "name"),
      textAt(entity, "expr"),
      textAt(entity, "type")?.toLowerCase(),
    ];
    if (type !== "primary" && type !== "unique" && type !== "foreign") {
      notes.add(entity, `entity ${dataset}.${name}: type ${type} is not carried; nothing is joined by it`);
      return [];
    }
    const column = /^[A-Za-z_]\w*$/.test(expr) ? expr : `\${${name}}`;
    return [{ dataset, name, type, expr, column }];
  });
}

/** Foreign entities join to the semantic models of which they are the key. */
export function entityRelationships(entities: readonly Entity[]): readonly ModelRelationship[] {
  return entities.flatMap((from, at) => {
    const targets = entities.filter(
      (to, other) =>
        to.name === from.name &&
        to.dataset !== from.dataset &&
        to.type !== "foreign" &&
        // Of two keys with one name, one relationship is enough.
        (from.type === "foreign" || other > at),
    );
    return targets.map(
      (to): ModelRelationship => ({
        name: `${from.dataset}_${from.name}${targets.length > 1 ? `_${to.dataset}` : ""}`,
        from: from.dataset,
        to: to.dataset,
        columns: [[from.column, to.column]],
        cardinality: from.type === "foreign" ? "many_to_one" : "one_to_one",
      }),
    );
  });
}
