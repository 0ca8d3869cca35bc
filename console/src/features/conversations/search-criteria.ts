import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";

/** Spans of time that a person asks for; `custom` takes the two days of the criteria. */
const TIMES = ["any", "hour", "today", "yesterday", "week", "month", "custom"] as const;
export type TimeChoice = (typeof TIMES)[number];

/** How a conversation went: `outcome` of the filter. */
const OUTCOMES = ["any", "failed", "escalated", "guardrail"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Sources by the names that the address of the page carries. */
export const SOURCES = {
  live: Source.LIVE,
  simulator: Source.SIMULATOR,
  evaluation: Source.EVAL,
  agent_tool: Source.AGENT_TOOL,
} as const satisfies Record<string, Source>;
export type SourceName = keyof typeof SOURCES;

/** The search of the page. */
export interface SearchCriteria {
  readonly time: TimeChoice;
  /** Days as `2026-11-20`, for `custom`; "" is open. */
  readonly from: string;
  readonly until: string;
  /** "" is every source. */
  readonly source: SourceName | "";
  /** Text to find in the transcript. */
  readonly transcript: string;
  /** The id that the client gave its session. */
  readonly session: string;
  /** More terms of the filter language of the API. */
  readonly filter: string;
  readonly outcome: Outcome;
}

/** Matches every conversation. */
export const NO_CRITERIA: SearchCriteria = {
  time: "any",
  from: "",
  until: "",
  source: "",
  transcript: "",
  session: "",
  filter: "",
  outcome: "any",
};

/** Reads the criteria out of the address of the page; what it does not know is left out. */
export function readSearchCriteria(search: Readonly<Record<string, unknown>>): SearchCriteria {
  const text = (key: keyof SearchCriteria) => (search[key] === undefined ? "" : String(search[key]));
  return {
    time: TIMES.find((time) => time === search.time) ?? "any",
    from: dayOf(text("from")),
    until: dayOf(text("until")),
    source: (Object.keys(SOURCES) as SourceName[]).find((source) => source === search.source) ?? "",
    transcript: text("transcript"),
    session: text("session"),
    filter: text("filter"),
    outcome: OUTCOMES.find((outcome) => outcome === search.outcome) ?? "any",
  };
}

/** The criteria as URL parameters, without those that have their default. */
export function writeSearchCriteria(criteria: SearchCriteria): Partial<SearchCriteria> {
  return Object.fromEntries(
    Object.entries(criteria).filter(([key, value]) => value !== NO_CRITERIA[key as keyof SearchCriteria]),
  );
}

function dayOf(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : "";
}
