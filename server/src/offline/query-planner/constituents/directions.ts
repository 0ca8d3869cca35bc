import type { Token } from "#analytics";
import type { Meaning } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel } from "../lexicon/names.ts";
import { valueIn } from "../lexicon/roles.ts";

/** What columns are called whose values something comes from, and goes to. */
const DIRECTIONS: Readonly<Record<string, RegExp>> = {
  from: /\b(from|origin|source|departure|start|sender|shipper|pickup)\b/,
  to: /\b(to|destination|dest|target|arrival|end|receiver|recipient|consignee|dropoff)\b/,
};

/** "flights to LIS": of a value that two columns of a table have, the one that the word before it says; all where it says none (CA-88). */
export function inDirection(tokens: readonly Token[], at: number, meanings: readonly Meaning[]): readonly Meaning[] {
  const direction = DIRECTIONS[tokens[at - 1]?.stem ?? ""];
  if (!direction) return meanings;
  const ofRoles = meanings.flatMap((one) => (one.kind === "value" ? ofRoleIn(direction, one) : []));
  if (ofRoles.length > 0) return ofRoles;
  if (meanings.length < 2) return meanings;
  const meant = meanings.filter((one) => one.kind === "value" && direction.test(columnLabel(one.table, one.column)));
  return meant.length === 1 ? meant : meanings;
}

/** "shipments to Shanghai": of a port of shipments, the one that their reference says (CA-103). */
function ofRoleIn(direction: RegExp, value: Extract<Meaning, { kind: "value" }>): readonly Meaning[] {
  const roles = (value.roles ?? []).filter((role) => direction.test(tableLabel(role)));
  return roles.length === 1 ? roles.flatMap((role) => valueIn(role, value)) : [];
}

/** "of the store": articles in between are ignored. */
export function isAfterOf(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.stem;
  return before === "of" || (["the", "a", "our", "their"].includes(before ?? "") && tokens[at - 2]?.stem === "of");
}
