import { isOfPeople } from "../lexicon/table-words.ts";
import { addEntity } from "./dimensions.ts";
import type { Reading } from "./reading.ts";
import { completeTop } from "./take-top.ts";

/** "which products are best": several are asked for. */
export function settleSeveral(reading: Reading): void {
  if (reading.said.several) completeTop(reading, true);
}

/** "who spent the most": the table of people. */
export function settlePerson(reading: Reading): void {
  const { draft, model, said } = reading;
  const { dimensions, top, measures, having } = draft;
  if (!said.person || dimensions.some(({ kind }) => kind === "entity") || (!top && measures.length === 0)) return;
  const people = model.tables.find(isOfPeople);
  if (!people) return;
  addEntity(reading, people);
  if (!top && having.length === 0) draft.top = { count: undefined, direction: "most" };
}

/** "which store sold Tea": the one with the most. */
export function settleSingular({ draft, said }: Reading): void {
  if (!said.singular || draft.measures.length === 0 || draft.top || draft.having.length > 0) return;
  draft.top = { count: undefined, direction: "most" };
}
