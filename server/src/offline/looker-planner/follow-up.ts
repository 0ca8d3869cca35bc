import type { LookerQuery } from "@frontdesk/protos/gda/context";
import type { ChartHint, PastTurn } from "#analytics";
import { findExplore } from "#analytics";
import { definedFields } from "#base";
import type { Explore, ExploreField } from "#warehouse";
import type { ParsedFilter } from "./parse-question.ts";
import { type ParsedQuestion, parseQuestion } from "./parse-question.ts";

/** The last query of a conversation, if its explore is available. */
export function lastQuery(past: readonly PastTurn[], explores: readonly Explore[]): LookerQuery | undefined {
  const query = past.at(-1)?.results.at(-1)?.looker;
  return query && findExplore(query, explores) ? query : undefined;
}

/** The beginning of an elliptical question. */
const ELLIPSIS =
  /^(?:(?:and|now|but|then|also|what about|how about|the same|same|only|just|instead)\b[\s,]*)+|^(?=by\b)/i;

/**
 * "and by month?", "only North": the previous query with the parts that the question replaces. Undefined where the question is
 * complete, or has an unknown word.
 */
export function parseFollowUp(
  question: string,
  last: LookerQuery,
  explores: readonly Explore[],
): ParsedQuestion | undefined {
  const explore = findExplore(last, explores);
  const rest = question
    .trim()
    .replace(/[?.!]+$/, "")
    .replace(/\s+(instead|as well|too)$/i, "");
  if (!explore || !ELLIPSIS.test(rest)) return undefined;
  const words = rest
    .replace(ELLIPSIS, "")
    .replace(/^(?:for|the|in)\s+(?=\S)/i, "")
    .trim();
  const value = valueFilter(words, explore);
  const read = value ? { ...parseQuestion("", explore), filters: [value] } : parseQuestion(words, explore);
  const hasContent =
    read.filters.length > 0 || read.dimensions.length > 0 || read.top !== undefined || read.measures.length > 0;
  if (!hasContent || read.unknown.length > 0 || read.ambiguous.length > 0) return undefined;
  return merged(read, last, explore);
}

function merged(read: ParsedQuestion, last: LookerQuery, explore: Explore): ParsedQuestion {
  const before = last.fields.flatMap((name) => explore.fields.find((field) => field.name === name) ?? []);
  const merge = (own: readonly ExploreField[], category: ExploreField["category"]) =>
    own.length > 0 ? own : before.filter((field) => field.category === category);
  const top = read.top ?? (read.dimensions.length === 0 ? topOf(last) : undefined);
  return {
    ...read,
    measures: merge(read.measures, "MEASURE"),
    dimensions: merge(read.dimensions, "DIMENSION"),
    filters: [
      ...filtersOf(last, explore).filter(({ field }) => !read.filters.some((own) => own.field === field)),
      ...read.filters,
    ],
    ...definedFields({ top }),
    counts: false,
  };
}

/** The filters of a query without the explore's always-filters. */
function filtersOf({ filters }: LookerQuery, explore: Explore): readonly ParsedFilter[] {
  return filters.flatMap(({ field: name, value = "" }) => {
    const field = explore.fields.find((one) => one.name === name);
    const always = explore.alwaysFilters.some((one) => one.field === name && one.value === value);
    return field && !always ? [{ field, value, spoken: value.replaceAll("^", ""), length: 0 }] : [];
  });
}

function topOf({ limit, sorts }: LookerQuery): ParsedQuestion["top"] {
  const count = Number(limit);
  return limit !== undefined && sorts.length > 0 && count > 0
    ? { count, largest: /\sdesc$/i.test(sorts[0] ?? "") }
    : undefined;
}

/** A filter by a value that only one field lists. */
function valueFilter(words: string, explore: Explore): ParsedFilter | undefined {
  const said = words.toLowerCase();
  const found = explore.fields.flatMap((field) =>
    field.values.filter((value) => value.toLowerCase() === said).map((value) => ({ field, value })),
  );
  const [one] = found;
  if (!one || found.length > 1 || one.field.category !== "DIMENSION") return undefined;
  const read = parseQuestion(`${one.field.viewLabel} ${one.field.label} is "${one.value}"`, explore);
  return read.filters.length === 1 && read.unknown.length === 0 ? read.filters[0] : undefined;
}

const MARKS: readonly (readonly [RegExp, NonNullable<ChartHint["mark"]>])[] = [
  [/horizontal bar/i, "horizontal-bar"],
  [/stacked/i, "stacked-bar"],
  [/pie|donut/i, "pie"],
  [/line/i, "line"],
  [/area/i, "area"],
  [/scatter/i, "scatter"],
  [/heat ?map/i, "heatmap"],
  [/bar|column/i, "bar"],
];

/** "as a pie chart", "make that a line chart": only the chart changes. */
const REDRAW =
  /^(?:please\s+)?(?:now\s+)?(?:(?:show|draw|make|plot|display|turn|chart)\s+)?(?:(?:that|it|this|them|the same|those)\s+)?(?:(?:as|into|in|with)\s+)?(?:an?\s+)?((?:horizontal |stacked )?(?:bar|column|line|pie|donut|area|scatter|heat ?map))(?:\s+(?:chart|graph|plot))?(?:\s+(?:instead|please))*[.!?]*$/i;

/** The requested chart, where a question asks for nothing else. */
export function parseRedrawRequest(question: string): ChartHint | undefined {
  const [, picture] = REDRAW.exec(question.trim()) ?? [];
  const mark = picture && MARKS.find(([pattern]) => pattern.test(picture))?.[1];
  return mark ? { mark } : undefined;
}
