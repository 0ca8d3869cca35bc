import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields } from "../defined-fields.ts";
import { countOccurrences, nextOccurrence, type Recurrence } from "./occurrences.ts";

interface Schedule {
  readonly name: string;
  readonly every?: Recurrence["every"];
  readonly start: string;
  readonly days?: readonly number[];
  readonly zone?: string;
  readonly after: string;
  /** The times that follow, in order. */
  readonly times: readonly string[];
}

const SCHEDULES: readonly Schedule[] = [
  {
    name: "once",
    start: "2026-03-01T09:00:00Z",
    after: "2026-02-01T00:00:00Z",
    times: ["2026-03-01T09:00:00Z"],
  },
  {
    name: "once, and it is over",
    start: "2026-03-01T09:00:00Z",
    after: "2026-03-01T09:00:00Z",
    times: [],
  },
  {
    name: "daily, from a day two months ahead",
    every: "day",
    start: "2026-05-01T09:00:00Z",
    after: "2026-03-01T00:00:00Z",
    times: ["2026-05-01T09:00:00Z", "2026-05-02T09:00:00Z"],
  },
  {
    name: "daily: 09:00 in Berlin, before and after clocks go forward",
    every: "day",
    start: "2026-03-01T08:00:00Z",
    zone: "Europe/Berlin",
    after: "2026-03-27T12:00:00Z",
    times: ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z", "2026-03-30T07:00:00Z"],
  },
  {
    name: "daily: 02:30 in Berlin, which the day that clocks go forward does not have",
    every: "day",
    start: "2026-03-01T01:30:00Z",
    zone: "Europe/Berlin",
    after: "2026-03-28T12:00:00Z",
    times: ["2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"],
  },
  {
    name: "daily: 01:30 in New York, which the day that clocks go back has twice",
    every: "day",
    start: "2026-10-01T05:30:00Z",
    zone: "America/New_York",
    after: "2026-10-31T12:00:00Z",
    times: ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"],
  },
  {
    name: "hourly: through the hour that clocks go back",
    every: "hour",
    start: "2026-10-31T22:15:00Z",
    zone: "America/New_York",
    after: "2026-11-01T05:15:00Z",
    times: ["2026-11-01T06:15:00Z", "2026-11-01T07:15:00Z"],
  },
  {
    name: "hourly, before its start",
    every: "hour",
    start: "2026-10-31T22:15:00Z",
    after: "2026-01-01T00:00:00Z",
    times: ["2026-10-31T22:15:00Z"],
  },
  {
    name: "daily, years after its start",
    every: "day",
    start: "2001-01-01T23:59:59.500Z",
    after: "2026-06-01T00:00:00Z",
    times: ["2026-06-01T23:59:59.500Z", "2026-06-02T23:59:59.500Z"],
  },
  {
    name: "weekly without days: the weekday of the start",
    every: "week",
    start: "2026-01-07T10:00:00Z",
    after: "2026-01-01T00:00:00Z",
    times: ["2026-01-07T10:00:00Z", "2026-01-14T10:00:00Z"],
  },
  {
    name: "weekly on Monday and Friday, from a Wednesday",
    every: "week",
    days: [5, 1],
    start: "2026-01-07T10:00:00Z",
    after: "2026-01-01T00:00:00Z",
    times: ["2026-01-09T10:00:00Z", "2026-01-12T10:00:00Z", "2026-01-16T10:00:00Z"],
  },
  {
    name: "weekly on Monday in Auckland, where it is Monday before it is in UTC",
    every: "week",
    days: [1],
    zone: "Pacific/Auckland",
    start: "2026-06-07T20:00:00Z",
    after: "2026-06-01T00:00:00Z",
    times: ["2026-06-07T20:00:00Z", "2026-06-14T20:00:00Z"],
  },
  {
    name: "biweekly on Monday and Sunday: the start's week, then every other",
    every: "biweekly",
    days: [1, 7],
    start: "2026-01-07T10:00:00Z",
    after: "2026-01-01T00:00:00Z",
    times: ["2026-01-11T10:00:00Z", "2026-01-19T10:00:00Z", "2026-01-25T10:00:00Z", "2026-02-02T10:00:00Z"],
  },
  {
    name: "biweekly on Monday, from a Tuesday: its first day is twelve days off",
    every: "biweekly",
    days: [1],
    start: "2026-01-06T10:00:00Z",
    after: "2026-01-06T10:00:00Z",
    times: ["2026-01-19T10:00:00Z"],
  },
];

describe("the times of a schedule (EVAL-42)", () => {
  for (const { name, every, start, days = [], zone = "", after, times } of SCHEDULES) {
    it(name, () => {
      const recurrence = recurrenceOf(every, start, days);
      const found: string[] = [];
      let at: number | undefined = Date.parse(after);
      for (let index = 0; index < Math.max(times.length, 1); index++) {
        at = nextOccurrence(recurrence, zone, at);
        if (at === undefined) break;
        found.push(new Date(at).toISOString());
      }
      assert.deepEqual(
        found,
        times.map((time) => new Date(time).toISOString()),
      );
    });
  }

  it("are counted up to a limit", () => {
    const recurrence = recurrenceOf("day", "2026-01-01T00:00:00Z", []);
    const range = { after: Date.parse("2026-01-01T00:00:00Z"), until: Date.parse("2026-01-11T00:00:00Z") };
    assert.deepEqual(
      [100, 5].map((limit) => countOccurrences(recurrence, "", { ...range, limit })),
      [10, 5],
    );
  });
});

function recurrenceOf(every: Recurrence["every"], start: string, daysOfWeek: readonly number[]): Recurrence {
  return { ...definedFields({ every }), start: Date.parse(start), daysOfWeek };
}
