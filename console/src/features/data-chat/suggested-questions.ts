import { type DataFile_Column as Column, DataFile_Kind as Kind } from "@frontdesk/protos/gda/data_file";

/** Questions to a table that its columns suggest, the one with a time first because it is drawn as a line. */
export function suggestedQuestions(columns: readonly Pick<Column, "name" | "kind">[]): readonly string[] {
  const named = (...kinds: readonly Kind[]) =>
    columns.find(({ kind }) => kinds.includes(kind))?.name.replaceAll("_", " ");
  const [number, time, group] = [
    named(Kind.MONEY) ?? named(Kind.NUMBER),
    named(Kind.DATE, Kind.DATE_TIME),
    named(Kind.CATEGORY),
  ];
  const measure = number === undefined ? "number of rows" : `total ${number}`;
  return [
    ...(group === undefined ? [] : [`${measure} by ${group}`]),
    ...(time === undefined ? [] : [`${measure} by month`]),
    ...(number === undefined || group === undefined ? [] : [`average ${number} by ${group}`]),
    "how many rows are there?",
  ];
}
