import type { ChartWish } from "#analytics";
import { dimensionLabel, measureLabel, snake } from "./labels.ts";
import type { SemanticQuery } from "./semantic-query.ts";

/** How an answer is best drawn: time as a line, parts as bars; one number alone is not drawn. */
export function chartFor(query: SemanticQuery): ChartWish | undefined {
  const { dimensions, measures } = query;
  const [measure] = measures;
  if (query.existence || query.countGroups || dimensions.length === 0 || !measure) return query.chart;
  const time = dimensions.find(({ kind }) => kind === "time");
  const first = time ?? dimensions[0];
  const series = dimensions.find((dimension) => dimension !== first);
  const title = `${measureLabel(measure)} by ${dimensions.map(dimensionLabel).join(" and ")}`;
  return {
    mark:
      time && !query.top
        ? "line"
        : first?.kind === "part" && !series
          ? "bar"
          : series
            ? "stacked-bar"
            : query.top
              ? "horizontal-bar"
              : "bar",
    ...(first && { x: snake(dimensionLabel(first)) }),
    y: query.growth ? "growth_percent" : query.share ? "share_percent" : snake(measureLabel(measure)),
    ...(series && { series: snake(dimensionLabel(series)) }),
    title: title.charAt(0).toUpperCase() + title.slice(1),
    ...query.chart,
  };
}
