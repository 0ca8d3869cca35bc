import type { DayPart } from "../parse/item.ts";
import { dimensionLabel, snake } from "../query/labels.ts";
import type { ColumnRef, Dimension } from "../query/semantic-query.ts";
import type { DialectWords } from "./dialect.ts";
import type { Expressions } from "./expressions.ts";
import type { Group } from "./parts.ts";

/** A way to group as it is written. `timeColumn`: what units and parts of the calendar are of. */
export function toGroup(
  dimension: Dimension,
  write: Expressions,
  words: DialectWords,
  timeColumn: ColumnRef | undefined,
): Group {
  const name = snake(dimensionLabel(dimension));
  switch (dimension.kind) {
    case "time":
      return { ...ofOne(name, words.unitOf(dimension.grain, moment(dimension.of ?? timeColumn, write))), time: true };
    case "part":
      return ofDayPart(name, dimension.part, moment(timeColumn, write), words);
    case "entity": {
      const { keys, shown } = write.entity(dimension.table);
      return { name, text: shown, by: [...new Set([...keys, shown])], time: false };
    }
    case "column":
      return ofOne(name, write.column(dimension));
  }
}

function moment(ref: ColumnRef | undefined, write: Expressions): string {
  return ref ? write.column(ref) : "NULL";
}

function ofOne(name: string, text: string): Group {
  return { name, text, by: [text], time: false };
}

function ofDayPart(name: string, part: DayPart, column: string, words: DialectWords): Group {
  switch (part) {
    case "hour":
      return { ...ofOne(name, words.hour(column)), order: words.hour(column) };
    case "weekday": {
      const [text, order] = [words.weekday(column), words.weekdayOrder(column)];
      return { name, text, by: [text, order], time: false, order };
    }
  }
}
