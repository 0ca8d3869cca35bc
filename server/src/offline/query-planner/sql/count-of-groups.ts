import { spokenTable } from "../lexicon/table-words.ts";
import { snake } from "../query/labels.ts";
import { clause, nested } from "./clause.ts";
import type { Parts } from "./parts.ts";

/** How many groups pass the bound, as a statement. */
export function countOfGroups({ base, groups, having, from, when, where, model }: Parts): string {
  const keys = groups.flatMap(({ by }) => by);
  const inner = nested([
    `SELECT ${keys.slice(0, 1).join(", ")}`,
    from.text(),
    ...clause("WHERE", [...when, ...where], " AND "),
    ...clause("GROUP BY", keys, ", "),
    ...clause("HAVING", having, " AND "),
  ]);
  const name = model.source.quoteName(`number_of_${groups[0]?.name ?? snake(spokenTable(base))}s`);
  return `SELECT count(*) AS ${name}\nFROM (\n  ${inner}\n) AS found`;
}
