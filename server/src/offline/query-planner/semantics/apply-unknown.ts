import type { SemanticTable } from "#analytics";
import { columnLabel, endColumns, STATE_OF_NOW, tableLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { SemanticParse } from "./semantic-parse.ts";

/** "deaths by country", "top 3 airports": without what is grouped or ranked the answer is another question's. */
export function applyUnknown(parse: SemanticParse, text: string, at: number): void {
  if (/^current(ly)?$/i.test(text) && applyCurrent(parse)) return;
  const { unknown, asides, refusals, constituents } = parse;
  const before = constituents[at - 1]?.kind;
  if (/^sort(ed)? by /i.test(text) || (before !== "group" && before !== "top" && introducesValue(parse, at))) {
    asides.values.push(text);
    return;
  }
  if (constituents[at + 1]?.kind === "period") asides.times.push(text);
  unknown.push(text);
  if (before === "group") refusals.push(`I know no “${text}” to group by.`);
  if (before === "top") refusals.push(`I know no “${text}” to rank.`);
}

/** "current employees" have not ended; of rows that do not end, all are current. */
function applyCurrent({ mentioned, model, draft, warnings, refusals }: SemanticParse): boolean {
  const tables = model.tables.filter((table) => mentioned.includes(tableLabel(table)));
  const ends = tables.flatMap((table) => endColumns(table).map((column) => ({ table, column })));
  const [end, other] = ends;
  if (!end)
    return !tables.some(({ columns }) =>
      columns.some(({ values = [] }) => values.some((one) => STATE_OF_NOW.test(one))),
    );
  if (other) {
    const names = ends.map(({ table, column }) => `${columnLabel(table, column)} of ${tableLabel(table)}`).join(", ");
    refusals.push(`I do not know which end “current” is about: ${names}. Say “missing” before its name.`);
    return true;
  }
  draft.filters.push({ kind: "empty", ...end });
  warnings.push(`“current” is read as those without ${columnLabel(end.table, end.column)}.`);
  return true;
}

/** Words that choose some of the rows with the value, or set it beside another: "pupils who failed physics", "income minus expenses" (CA-107). */
const CHOOSES =
  /^(fail(s|ed|ing)?|pass(es|ed|ing)?|w[io]n|wins|los[et]|loses|miss(es|ed|ing)?|skip(s|ped)?|drop(s|ped)?|repeat(s|ed)?|retook|minus|plus|less|under|above|below|beneath|beside|before|after|despite|unlike)$/i;

/** "comedies rated R", "admissions with diagnosis I21": what a value is called; "late express shipments" has two adjectives. */
function introducesValue({ constituents, subjects, model }: SemanticParse, at: number): boolean {
  const [value, next] = constituents.slice(at + 1, at + 3);
  const own = constituents[at];
  // "days without data for Leeds"
  if (constituents[at - 1]?.kind === "not") return false;
  // "more customers than France" compares.
  if (own?.kind === "unknown" && (/\bthan\b/i.test(own.text) || CHOOSES.test(own.text))) return false;
  if (value?.kind !== "ref" || !value.meanings.every(({ kind }) => kind === "value")) return false;
  if (!constituents.slice(0, at).some(({ kind }) => kind === "ref")) return false;
  // "students who failed Biology": of related rows the verb chooses some.
  const joins = joinsOf(model);
  const isOwn = (table: SemanticTable) => subjects.every((one) => one === table || joins.path(one, table, new Set()));
  if (!value.meanings.some(({ table }) => isOwn(table))) return false;
  return next?.kind !== "ref" || next.meanings.every(({ kind }) => kind === "value");
}
