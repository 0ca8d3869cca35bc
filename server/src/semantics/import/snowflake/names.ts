import { nonEmptyFields } from "#base";
import { type Located, textAt, textsAt } from "../../files/located.ts";
import type { Described } from "../../model/model.ts";

/** What people call a thing of a view. */
export function described(node: Located): Described {
  const [label, description, synonyms] = [
    textAt(node, "label"),
    textAt(node, "description"),
    textsAt(node, "synonyms"),
  ];
  return { ...nonEmptyFields({ label, description }), ...(synonyms.length > 0 && { synonyms }) };
}

/** Names of Snowflake ignore case. */
export function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
