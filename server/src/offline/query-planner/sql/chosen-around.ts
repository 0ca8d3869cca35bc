import type { Choice } from "./choice.ts";
import { nested } from "./clause.ts";
import { MOST_ROWS } from "./order-and-limit.ts";
import type { Parts } from "./parts.ts";

/**
 * A choice of groups for engines without QUALIFY: the window is a column of a statement around which the choice is made.
 * `lines`: the statement without order and limit, its first line what it selects.
 */
export function chosenAround(lines: readonly string[], { window, test }: Choice, parts: Parts): string {
  const { groups, values, model } = parts;
  const quote = model.source.quoteName;
  const [select = "", ...rest] = lines;
  const inner = nested([`${select},\n  ${window} AS ${quote("chosen_by")}`, ...rest]);
  return [
    `SELECT ${[...groups, ...values].map(({ name }) => quote(name)).join(", ")}`,
    `FROM (\n  ${inner}\n) AS ranked`,
    `WHERE ${test(quote("chosen_by"), quote(values[0]?.name ?? ""))}`,
    `ORDER BY ${orderByName(parts).join(", ")}`,
    `LIMIT ${MOST_ROWS}`,
  ].join("\n");
}

/** What a ranking is within comes first; a choice by the mean is one ranking over all. */
function orderByName({ groups, values: [value], query, words, model }: Parts): readonly string[] {
  const names = groups.map(({ name }) => model.source.quoteName(name));
  const first = model.source.quoteName(value?.name ?? "");
  return [
    ...(query.average ? [] : names.slice(1)),
    query.top?.direction === "least" ? `${first} ASC` : words.descending(first),
    ...names.slice(0, 1),
  ];
}
