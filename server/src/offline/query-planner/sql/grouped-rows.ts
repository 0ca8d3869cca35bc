import { choiceOf, qualifyClause } from "./choice.ts";
import { chosenAround } from "./chosen-around.ts";
import { clause } from "./clause.ts";
import { growthColumn, shownFrom } from "./growth.ts";
import { limitOf, orderOf } from "./order-and-limit.ts";
import type { Group, Parts, Value } from "./parts.ts";
import { shareColumn } from "./share.ts";
import { windowOverTime } from "./window-over-time.ts";

/** Numbers for each group, or over everything where there is none, as a statement. */
export function groupedRows(parts: Parts): string {
  const { groups, query, words } = parts;
  const choice = choiceOf(parts);
  const chosen = [...unordered(parts), ...(choice && words.qualifies ? [qualifyClause(choice, parts)] : [])];
  if (groups.length === 0) return chosen.join("\n");
  if (choice && !words.qualifies) return chosenAround(chosen, choice, parts);
  const lines = [...chosen, `ORDER BY ${orderOf(parts).join(", ")}`, ...limitOf(parts)];
  const time = groups.find((group) => group.time);
  return query.growth && time && query.period?.from
    ? shownFrom(query.period.from, time, lines, parts)
    : lines.join("\n");
}

function unordered(parts: Parts): readonly string[] {
  const keys = parts.groups.flatMap(({ by }) => by);
  return [
    `SELECT ${columnsOf(parts).join(",\n  ")}`,
    parts.from.text(),
    ...clause("WHERE", [...parts.when, ...parts.where], " AND "),
    ...clause("GROUP BY", keys, ", "),
    ...clause("HAVING", parts.having, " AND "),
  ];
}

function columnsOf(parts: Parts): readonly string[] {
  const { groups, values, model } = parts;
  const [first] = values;
  const named = [...groups, ...values].map(({ text, name }) => `${text} AS ${model.source.quoteName(name)}`);
  return first ? [...named, ...derivedColumns(first, parts)] : named;
}

/** What is computed from the first number over all groups. */
function derivedColumns(first: Value, parts: Parts): readonly string[] {
  const { groups, query } = parts;
  const time = groups.find((group) => group.time);
  return [
    ...(query.share ? [shareColumn(first, parts)] : []),
    ...(query.running && time ? [runningColumn(first, time, parts)] : []),
    ...(query.growth && time ? [growthColumn(first, time, parts)] : []),
  ];
}

function runningColumn({ name, text }: Value, time: Group, { groups, model }: Parts): string {
  return `sum(${text}) OVER ${windowOverTime(groups, time)} AS ${model.source.quoteName(`running_${name}`)}`;
}
