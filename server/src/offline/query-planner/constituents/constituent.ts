import type { ChartHint } from "#analytics";
import type { Attribute } from "../lexicon/attributes.ts";
import type { Comparison } from "../lexicon/comparison.ts";
import type { Meaning } from "../lexicon/meaning.ts";
import type { Grain, Period } from "../time/period.ts";

/** A part of the day or week that rows are grouped by, whatever the date: Monday, nine o'clock. */
export type DayPart = "weekday" | "hour" | "weekend";

export type AggregateFunction = "sum" | "avg" | "min" | "max" | "median" | "distinct" | Percentile;

/** The value below which so many percent of all are: p90. */
type Percentile = `p${number}`;

/** A constituent of a question: a span of tokens with its role. */
export type Constituent =
  /** A reference to the data, with all its possible meanings. */
  | {
      readonly kind: "ref";
      readonly text: string;
      readonly meanings: readonly Meaning[];
      readonly plural: boolean;
      /** "of" precedes it. */
      readonly of?: boolean;
      /** The corrected name of a misspelled one. */
      readonly guessed?: string;
      /** It is only a part of the name of what it means. */
      readonly part?: boolean;
    }
  | {
      readonly kind: "aggregate";
      readonly fn: AggregateFunction;
      /** "in total", "overall": without a number it is the one of all rows that the question before was about. */
      readonly whole?: boolean;
    }
  /** how many, number of, count of. */
  | {
      readonly kind: "count";
      /** "how many": the question asks for it. */
      readonly asks?: boolean;
    }
  /** by, per, for each: a dimension follows. */
  | { readonly kind: "group"; readonly word: string }
  /** which, what, who: the question asks for names. */
  | { readonly kind: "which"; readonly person?: boolean }
  /** list, show: the question asks for rows. */
  | { readonly kind: "list" }
  /** top 5, highest, least; `count` is absent without a number. */
  | {
      readonly kind: "top";
      readonly count?: number;
      readonly direction: "most" | "least";
      /** The word says what is good: of a delay the best is the least. */
      readonly judges?: "best" | "worst";
      /** What the word implies: "cheapest" ranks by price, "most common" by the number of rows. */
      readonly by?: Attribute | "rows";
      /** The word, where it implies something. */
      readonly text?: string;
    }
  /** when was the first, the latest: the question asks for a time. `names`: "oldest" asks for what it is the time of. */
  | {
      readonly kind: "moment";
      readonly fn: "min" | "max";
      readonly names?: boolean;
      readonly text?: string;
      readonly said?: string;
    }
  | {
      readonly kind: "compare";
      readonly comparison: Comparison;
      readonly value: number;
      /** "at least 10 times", "once": a frequency. */
      readonly times?: boolean;
      /** "cheaper than 10": a price, "taller than 190 cm": a height. */
      readonly of?: Attribute;
      /** "over 25 kg": the unit of the number. */
      readonly unit?: string;
    }
  | {
      readonly kind: "between";
      readonly low: number;
      readonly high: number;
      /** "between 2 and 5 days": the unit of both. */
      readonly unit?: string;
    }
  | { readonly kind: "period"; readonly period: Period }
  /** "= Delivered", "!= 'Red'": the value after it is exactly that of the column before it, or is not. */
  | { readonly kind: "equality"; readonly negated: boolean }
  /** "30 February 2026", a number of thirty digits: nothing that can be asked for. */
  | { readonly kind: "impossible"; readonly why: string }
  | { readonly kind: "grain"; readonly grain: Grain }
  | { readonly kind: "part"; readonly part: DayPart }
  /** "on weekends", "Mondays": days of every week, Monday 1. */
  | { readonly kind: "days"; readonly days: readonly number[] }
  /** "3-month moving average of" what follows. */
  | { readonly kind: "moving"; readonly count: number; readonly grain: Grain }
  /** A unit of the calendar by itself: "which month", "busiest day". */
  | { readonly kind: "unit"; readonly unit: Grain; readonly plural: boolean }
  /** "above average": a bound that is the mean of the same number. */
  | { readonly kind: "average-bound"; readonly comparison: ">" | "<" }
  /** "the last 5": rows, the newest first. */
  | { readonly kind: "latest"; readonly count: number }
  /** "the month before": the period of the question before, one unit earlier. */
  | { readonly kind: "shift"; readonly grain: Grain }
  /** bought, sold, ordered: an event. */
  | { readonly kind: "event" }
  /** spent, earned: an amount of money. */
  | { readonly kind: "money" }
  /** "invoice amount", "order value": a number that must be named. */
  | { readonly kind: "amount"; readonly text: string }
  /** both Tea and Coffee: all of the following values. */
  | { readonly kind: "both" }
  /** over time, trend: an implied grain. */
  | { readonly kind: "over-time" }
  /** not, without; `missing`: of a value that is not there; `never`: there is no such row at all; `prefix`: the "un" of "unpaid". */
  | { readonly kind: "not"; readonly missing?: boolean; readonly never?: boolean; readonly prefix?: boolean }
  | { readonly kind: "share" }
  /** `grain`: the unit that is compared, where the words name it: "versus the quarter before". */
  | { readonly kind: "growth"; readonly against: "previous" | "year"; readonly grain?: Grain }
  | { readonly kind: "running" }
  | { readonly kind: "versus" }
  | { readonly kind: "chart"; readonly mark: NonNullable<ChartHint["mark"]> }
  /** what about, and now, only, instead: the question changes the one before; "and by" adds to it. */
  | { readonly kind: "follow-up"; readonly adds?: boolean; readonly text?: string }
  | { readonly kind: "quoted"; readonly text: string }
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  /** An unknown word. */
  | { readonly kind: "unknown"; readonly text: string };

/** What is read at a place: a constituent, or none where the words say nothing, and how many words it takes. */
export interface Read {
  readonly constituent: Constituent | undefined;
  readonly length: number;
}

/** Reads the name of something in the data at a place of the question. */
export type ReadRef = (
  at: number,
) => { readonly ref: Extract<Constituent, { kind: "ref" }>; readonly length: number } | undefined;

/** 90 of p90; undefined of any other aggregate. */
export function percentOf(fn: AggregateFunction): number | undefined {
  const [, percent] = /^p(\d+)$/.exec(fn) ?? [];
  return percent === undefined ? undefined : Number(percent);
}
