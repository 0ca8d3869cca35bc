import { adjectives } from "../lexicon/attributes.ts";
import type { Constituent } from "./constituent.ts";

/** Keyword phrases and their constituents; the longest match wins. Words are in singular. */
const KEYWORDS: readonly (readonly [phrases: string, constituent: Constituent])[] = [
  ["how many|how much count", { kind: "count", asks: true }],
  ["number of|count of|the number of|no of|volume of", { kind: "count" }],
  ["count", { kind: "count" }],
  [
    "how many different|number of different|how many distinct|how many unique|number of unique|number of distinct|count distinct|distinct|unique|different",
    { kind: "aggregate", fn: "distinct" },
  ],
  ["average|mean|avg|on average|typical", { kind: "aggregate", fn: "avg" }],
  ["median", { kind: "aggregate", fn: "median" }],
  ["how much", { kind: "aggregate", fn: "sum" }],
  ["total|grand total|sum|sum of|overall|in total|altogether", { kind: "aggregate", fn: "sum", whole: true }],
  ["maximum|max|largest single|highest single", { kind: "aggregate", fn: "max" }],
  ["minimum|min|smallest single|lowest single", { kind: "aggregate", fn: "min" }],
  [
    "by|for each|for every|each|every|across|grouped by|group by|broken down by|break down by|breakdown by|split by|in each|for all|of each",
    { kind: "group", word: "by" },
  ],
  ["per", { kind: "group", word: "per" }],
  // made by rephrasing: no question has these words
  ["per-hundred", { kind: "group", word: "%" }],
  ["minus-total", { kind: "group", word: "-" }],
  ["plus-total", { kind: "group", word: "+" }],
  [
    "how many more|how much more|how many fewer|how many less|how much less|how much higher|how much lower|how much larger|how much smaller|how much bigger",
    { kind: "unknown", text: "how many more" },
  ],
  ["which|what", { kind: "which" }],
  ["who|whose", { kind: "which", person: true }],
  ["list|list all|show all|give me all|details of|rows of", { kind: "list" }],
  ["best", { kind: "top", direction: "most", judges: "best" }],
  ["worst", { kind: "top", direction: "least", judges: "worst" }],
  ["top|best selling|highest|most|biggest|largest|greatest|leading|strongest", { kind: "top", direction: "most" }],
  ["bottom|lowest|least|fewest|smallest|weakest|slowest|worst selling", { kind: "top", direction: "least" }],
  ["busiest|most popular|most frequent|most common|most used", { kind: "top", direction: "most", by: "rows" }],
  ["rarest|least popular|least frequent|least common|least used", { kind: "top", direction: "least", by: "rows" }],
  ["when was the first|when is the first|earliest|first date of|date of the first", { kind: "moment", fn: "min" }],
  [
    "when was the last|when is the last|when was the latest|latest|most recent|date of the last",
    { kind: "moment", fn: "max" },
  ],
  ["newest", { kind: "moment", fn: "max", names: true, said: "newest" }],
  ["first|very first", { kind: "moment", fn: "min", names: true, text: "first" }],
  ["last|very last", { kind: "moment", fn: "max", names: true, text: "last" }],
  ["oldest", { kind: "moment", fn: "min", names: true, said: "oldest" }],
  ["youngest", { kind: "moment", fn: "max", names: true, said: "youngest" }],
  ["day of the week|day of week|weekday|week day|by day of week|by day of the week", { kind: "part", part: "weekday" }],
  ["hour|hour of day|hour of the day|hourly|time of day", { kind: "part", part: "hour" }],
  ["day", { kind: "unit", unit: "day", plural: false }],
  ["week", { kind: "unit", unit: "week", plural: false }],
  ["month", { kind: "unit", unit: "month", plural: false }],
  ["quarter", { kind: "unit", unit: "quarter", plural: false }],
  ["year", { kind: "unit", unit: "year", plural: false }],
  ["day before", { kind: "shift", grain: "day" }],
  ["week before", { kind: "shift", grain: "week" }],
  ["month before", { kind: "shift", grain: "month" }],
  ["quarter before", { kind: "shift", grain: "quarter" }],
  ["year before", { kind: "shift", grain: "year" }],
  [
    "> average|> the average|more than average|more than the average|above average|above the average|over average|over the average|higher than average|higher than the average|greater than average|greater than the average|better than average",
    { kind: "average-bound", comparison: ">" },
  ],
  [
    "< average|< the average|less than average|less than the average|below average|below the average|under average|under the average|lower than average|lower than the average|fewer than average|worse than average",
    { kind: "average-bound", comparison: "<" },
  ],
  [
    "sold|bought|purchased|buy|buying|purchase|purchasing|sell|selling|shopped|place|placed|placed an order|made an order|made a purchase",
    { kind: "event" },
  ],
  ["both", { kind: "both" }],
  ["amount|value", { kind: "amount", text: "amount" }],
  ["spend|spent|spending|earn|earned|pay|paid", { kind: "money" }],
  ["daily|by day|per day|each day|every day|day by day", { kind: "grain", grain: "day" }],
  ["weekly|by week|per week|each week|every week|week by week", { kind: "grain", grain: "week" }],
  ["monthly|by month|per month|each month|every month|month by month|by the month", { kind: "grain", grain: "month" }],
  [
    "quarterly|by quarter|per quarter|each quarter|every quarter|quarter by quarter",
    { kind: "grain", grain: "quarter" },
  ],
  [
    "yearly|annually|annual|by year|per year|each year|every year|year by year|by calendar year",
    { kind: "grain", grain: "year" },
  ],
  [
    "over time|trend|trending|trend of|history of|development of|how has|how have|evolution of|through time",
    { kind: "over-time" },
  ],
  [
    "not|non|neither|nor|without|but the|all but|except|except for|apart from|outside|outside of|excluding|exclude|other than|but not|not in|no|no longer|aren|isn|wasn|weren|don|doesn|didn|haven|hasn|hadn|with no|have no|has no|had no|without any|not yet",
    { kind: "not" },
  ],
  ["never|but never", { kind: "not", never: true }],
  ["un-", { kind: "not", prefix: true }],
  ["missing|lacking|with missing|that lack|that miss", { kind: "not", missing: true }],
  [
    "share|share of|percentage|percentage of|percent|percent of|proportion|proportion of|what fraction|fraction of|contribution|contribution of|% of",
    { kind: "share" },
  ],
  [
    "growth|growth of|growth rate|percent change|percentage change|change in percent|percent growth|percentage growth|grow|grew|grown|growing|rising|falling|shrinking|drop|dropped|decline|declined|fell|rose|month over month|mom|change|changed|compared to previous month|compared with previous month|increase|decrease|quarter over quarter|go up|went up|going up|gone up|go down|went down|going down|gone down",
    { kind: "growth", against: "previous" },
  ],
  ...(["day", "week", "month", "quarter"] as const).map((grain): readonly [string, Constituent] => [
    // "compared with the month before", "than the previous quarter"
    ["compared to", "compared with", "versus", "vs", "than", "against"]
      .flatMap((word) => [`${word} the ${grain} before`, `${word} the previous ${grain}`, `${word} previous ${grain}`])
      .join("|"),
    { kind: "growth", against: "previous", grain },
  ]),
  [
    "year over year|yoy|compared to last year|compared with last year|versus last year|vs last year|compared to previous year|compared to the year before|compared with the year before|than the year before|than last year|against last year|year on year|annual growth",
    { kind: "growth", against: "year" },
  ],
  ["cumulative|running total|running total of|cumulated|cumulatively", { kind: "running" }],
  ["versus|vs|compared to|compared with|against|compare", { kind: "versus" }],
  ["bar chart|as bar|as a bar chart|bar graph|column chart", { kind: "chart", mark: "bar" }],
  ["horizontal bar chart|horizontal bar", { kind: "chart", mark: "horizontal-bar" }],
  ["stacked bar chart|stacked bar|stacked", { kind: "chart", mark: "stacked-bar" }],
  ["line chart|line graph|as a line|as line|a line", { kind: "chart", mark: "line" }],
  ["area chart|as an area", { kind: "chart", mark: "area" }],
  ["pie chart|pie|donut|as a pie", { kind: "chart", mark: "pie" }],
  ["scatter plot|scatter|scatter chart|scatterplot", { kind: "chart", mark: "scatter" }],
  ["heatmap|heat map", { kind: "chart", mark: "heatmap" }],
  ["and|and also|also|additionally|and split by|and then by", { kind: "follow-up", adds: true }],
  [
    "what about|how about|and what about|and how about|and for|and in|now|now only|now just|instead|but only|only|just|only for|just for|then|make that|make it|show that|show it|those|of those|these|it|that",
    { kind: "follow-up" },
  ],
  ["same for|the same for|the same|same", { kind: "follow-up", text: "same" }],
];

/** Words that say little of a query, unless the data has a value that is called so ("business fares", CA-87). */
const FILLERS = new Set(
  `data information record row entry figure result term live living based located company business perform performed performing up out`.split(
    " ",
  ),
);

/** Words without meaning for the query. */
const STOP_WORDS = new Set(
  `a an the of in on at for to from with is are was were be been being do does did done have has had having i we us our my me you your they their them there
   show tell give list find get see display calculate compute plot draw graph chart please can could would should will want need know like me let s t
   and or as all any much many made make put earn earned generate generated
   come came coming go went get got gotten happen happened bring brought take took taken during within so far until now over most when where how
   some that this which who more less about order ordered by into if it its please
   name named called rank ranked sort sorted order ascending descending different per respective respectively shop's our's we've have's
   doe something anything someone anyone give gave given contain contained contains include included including belong ever actually really exactly
   roughly approximately simply hello hi hey thank kindly`.split(/\s+/),
);

interface Entry {
  readonly words: readonly string[];
  readonly constituent: Constituent;
}

/** "heaviest", "cheapest": the word ranks, and says by what. */
const SUPERLATIVES = (["most", "least"] as const).flatMap((direction) =>
  adjectives(direction).flatMap(({ attribute, words }) =>
    words.map((text) => [text, { kind: "top", direction, by: attribute, text }] as const),
  ),
);

const BY_FIRST = index();

function index(): ReadonlyMap<string, readonly Entry[]> {
  const entries = [...KEYWORDS, ...SUPERLATIVES].flatMap(([phrases, constituent]) =>
    phrases.split("|").map((phrase) => ({ words: phrase.split(" "), constituent })),
  );
  const longestFirst = entries.toSorted((left, right) => right.words.length - left.words.length);
  return Map.groupBy(longestFirst, ({ words: [first = ""] }) => first);
}

/** The longest keyword phrase at the start of these words. */
export function keywordAt(
  words: readonly string[],
): { readonly constituent: Constituent; readonly length: number } | undefined {
  const found = (BY_FIRST.get(words[0] ?? "") ?? []).find(({ words: wanted }) =>
    wanted.every((word, at) => words[at] === word),
  );
  return found && { constituent: found.constituent, length: found.words.length };
}

/** Whether a word is a stop word; signs of comparison never are. */
export function isStopWord(word: string): boolean {
  return isFunctionWord(word) || FILLERS.has(word);
}

/** Whether a word is one that sentences are made with, so that it is no value even where the data has one that is spelled so. */
export function isFunctionWord(word: string): boolean {
  return (word.length <= 1 && !/^[<>=~+]$/.test(word)) || STOP_WORDS.has(word);
}

/** Whether a word is one that only fills a sentence. */
export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}
