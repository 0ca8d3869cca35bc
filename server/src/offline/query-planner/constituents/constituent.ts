import type { ChartWish } from "#analytics";
import type { Meaning } from "../lexicon/meaning.ts";
import type { Grain, Period } from "../time/period.ts";

/** A part of the day or week that rows are grouped by, whatever the date: Monday, nine o'clock. */
export type DayPart = "weekday" | "hour";

export type AggregateFunction = "sum" | "avg" | "min" | "max" | "median" | "distinct";
export type Comparison = ">" | ">=" | "<" | "<=" | "=" | "<>";

/** A piece of a question with its part in the sentence. */
export type Constituent =
  /** Something of the data, with all it can mean. */
  | {
      readonly kind: "ref";
      readonly text: string;
      readonly meanings: readonly Meaning[];
      readonly plural: boolean;
      /** "of" stands before it: it says whose. */
      readonly of?: boolean;
      /** The name that it was taken for, where it is spelled otherwise. */
      readonly guessed?: string;
    }
  | { readonly kind: "aggregate"; readonly fn: AggregateFunction }
  /** how many, number of, count of. */
  | {
      readonly kind: "count";
      /** "how many": the question asks for it. */
      readonly asks?: boolean;
    }
  /** by, per, for each: what follows is a way to group. */
  | { readonly kind: "group"; readonly word: string }
  /** which, what, who: what follows is asked for by name. */
  | { readonly kind: "which"; readonly person?: boolean }
  /** list, show: rows are asked for. */
  | { readonly kind: "list" }
  /** top 5, highest, least; without a number where none is said. */
  | {
      readonly kind: "top";
      readonly count?: number;
      readonly direction: "most" | "least";
      /** What the word itself ranks by: "cheapest" is about prices. */
      readonly by?: "price";
    }
  /** when was the first, the latest: a moment is asked for. */
  | { readonly kind: "moment"; readonly fn: "min" | "max" }
  | {
      readonly kind: "compare";
      readonly comparison: Comparison;
      readonly value: number;
      /** "at least 10 times", "once": how often something happened. */
      readonly times?: boolean;
      /** "cheaper than 10": a price is meant. */
      readonly price?: boolean;
    }
  | { readonly kind: "between"; readonly low: number; readonly high: number }
  | { readonly kind: "period"; readonly period: Period }
  | { readonly kind: "grain"; readonly grain: Grain }
  | { readonly kind: "part"; readonly part: DayPart }
  /** A unit of the calendar by itself: "which month", "busiest day". */
  | { readonly kind: "unit"; readonly unit: Grain; readonly plural: boolean }
  /** "above average": a bound that is the mean of the same number. */
  | { readonly kind: "average-bound"; readonly comparison: ">" | "<" }
  /** "the last 5": rows are asked for, the newest first. */
  | { readonly kind: "latest"; readonly count: number }
  /** "the month before": the period of the question before, one unit earlier. */
  | { readonly kind: "shift"; readonly grain: Grain }
  /** bought, sold, ordered: something happened to the thing that is named. */
  | { readonly kind: "event" }
  /** spent, earned: an amount of money is asked for. */
  | { readonly kind: "money" }
  /** both Tea and Coffee: each of what follows holds. */
  | { readonly kind: "both" }
  /** over time, trend: a grain that nobody named. */
  | { readonly kind: "over-time" }
  | { readonly kind: "not" }
  | { readonly kind: "share" }
  | { readonly kind: "growth"; readonly against: "previous" | "year" }
  | { readonly kind: "running" }
  | { readonly kind: "versus" }
  | { readonly kind: "chart"; readonly mark: NonNullable<ChartWish["mark"]> }
  /** what about, and now, only, instead: the question changes the one before; "and by" adds to it. */
  | { readonly kind: "follow-up"; readonly adds?: boolean }
  | { readonly kind: "quoted"; readonly text: string }
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  /** A word that says nothing known. */
  | { readonly kind: "unknown"; readonly text: string };
