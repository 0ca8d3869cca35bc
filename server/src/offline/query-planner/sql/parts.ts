import type { SemanticModel, SemanticTable } from "#analytics";
import type { DayPart } from "../constituents/constituent.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { isYear } from "../lexicon/meaning.ts";
import { dimensionLabel, toSnakeCase } from "../query/labels.ts";
import type { Dimension, SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";
import { type DialectFunctions, onDaysSql } from "./dialect.ts";
import type { Expressions } from "./expressions.ts";
import type { FromClause } from "./from-clause.ts";

/** The written parts of a statement, before assembly. */
export interface Parts {
  readonly query: SemanticQuery;
  readonly base: SemanticTable;
  readonly model: SemanticModel;
  readonly from: FromClause;
  readonly write: Expressions;
  readonly words: DialectFunctions;
  readonly timeColumn?: ColumnRef;
  readonly groups: readonly Group[];
  readonly values: readonly Value[];
  /** Conditions of time, separate because a share is of all rows of the same period. */
  readonly when: readonly string[];
  readonly where: readonly string[];
  readonly having: readonly string[];
}

/** A measure in the SELECT clause. */
export interface Value {
  readonly name: string;
  readonly text: string;
}

/** A dimension in the SELECT and GROUP BY clauses. */
export interface Group {
  readonly name: string;
  /** The expression in the SELECT clause. */
  readonly text: string;
  /** The expressions of the GROUP BY clause. */
  readonly by: readonly string[];
  /** The unit of the calendar that each group is; absent for what is no time. */
  readonly grain?: Grain;
  /** The expression of the ORDER BY clause, where it differs from `text`: Monday precedes Friday. */
  readonly order?: string;
}

/** A dimension as SQL. `timeColumn`: the column of units and parts of the calendar. */
export function toGroup(
  dimension: Dimension,
  write: Expressions,
  words: DialectFunctions,
  timeColumn: ColumnRef | undefined,
): Group {
  const name = toSnakeCase(dimensionLabel(dimension));
  switch (dimension.kind) {
    case "time":
      return {
        ...ofOne(name, words.unitOf(dimension.grain, moment(dimension.of ?? timeColumn, write))),
        grain: dimension.grain,
      };
    case "part":
      return ofDayPart(name, dimension.part, moment(timeColumn, write), words);
    case "entity": {
      const { keys, shown } = write.entity(dimension.table);
      return { name, text: shown, by: [...new Set([...keys, shown])] };
    }
    case "column":
      return isYear(dimension.column)
        ? { ...ofOne(name, write.column(dimension)), order: write.column(dimension) }
        : ofOne(name, write.column(dimension));
  }
}

function moment(ref: ColumnRef | undefined, write: Expressions): string {
  return ref ? write.column(ref) : "NULL";
}

function ofOne(name: string, text: string): Group {
  return { name, text, by: [text] };
}

function ofDayPart(name: string, part: DayPart, column: string, words: DialectFunctions): Group {
  switch (part) {
    case "hour":
      return { ...ofOne(name, words.hour(column)), order: words.hour(column) };
    case "weekend": {
      const days = (some: readonly number[]) => onDaysSql(words, some, column);
      return ofOne(name, `CASE WHEN ${days([6, 7])} THEN 'Weekend' WHEN ${days([1, 2, 3, 4, 5])} THEN 'Weekday' END`);
    }
    case "weekday": {
      const [text, order] = [words.weekday(column), words.weekdayOrder(column)];
      return { name, text, by: [text, order], order };
    }
  }
}
