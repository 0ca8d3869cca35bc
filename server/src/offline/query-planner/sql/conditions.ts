import type { ColumnRef, SemanticQuery } from "../query/semantic-query.ts";
import { add, isoDay } from "../time/period.ts";
import type { Expressions } from "./expressions.ts";

/** The period; growth also needs the unit before it, which is taken off again around the statement. */
export function periodConditions(query: SemanticQuery, write: Expressions, timeColumn: ColumnRef): readonly string[] {
  const { period, otherPeriod } = query;
  if (!period) return [];
  const earlier = query.growth && period.from ? { ...period, from: unitBefore(query, period.from) } : period;
  const texts = write.period(earlier, timeColumn);
  if (!otherPeriod) return texts;
  const both = [write.period(otherPeriod, timeColumn), texts].map((one) => `(${one.join(" AND ")})`);
  return [`(${both.join(" OR ")})`];
}

function unitBefore({ growth, dimensions }: SemanticQuery, from: string): string {
  const time = dimensions.find(({ kind }) => kind === "time");
  const grain = growth === "year" ? "year" : time?.kind === "time" ? time.grain : "month";
  return isoDay(add(new Date(from), -1, grain));
}

/** Which groups count. */
export function groupConditions({ having }: SemanticQuery, write: Expressions): readonly string[] {
  return having.flatMap(({ measure, comparison, value }) => {
    const text = write.measure(measure);
    return text ? [`${text} ${comparison} ${value}`] : [];
  });
}
