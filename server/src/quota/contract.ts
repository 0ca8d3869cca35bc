import type { Caller, Peer } from "#base";

/** What a quota counts. */
export type QuotaMeasure =
  /** Calls of any method. */
  | "requests"
  /** Calls that read: their published address is a GET. */
  | "reads"
  /** All other calls. */
  | "writes"
  /** Turns of sessions, those of open streams included. */
  | "turns"
  /** Tokens of language models in turns, questions to data and generations, input and output, as the providers count them. */
  | "tokens"
  /** What those tokens cost by `QuotaConfig.prices`, US dollars. */
  | "money"
  /** Conversations over streams that are open at the same time. */
  | "streams";

/** Whose use is counted together. */
export type QuotaScope = "caller" | "app" | "project";

/** One limit: so much of a measure in an interval, for each caller, app or project. */
export interface QuotaRule {
  readonly measure: QuotaMeasure;
  readonly per: QuotaScope;
  /** How much in one interval; for `streams` how many at the same time. Above zero. */
  readonly limit: number;
  /** Milliseconds of the interval, in which the whole limit comes back evenly. Default 60,000. Without meaning for `streams`. */
  readonly everyMs: number;
  /** How much may be used at once after a pause. Default: `limit`. */
  readonly burst: number;
}

/** US dollars for a million tokens of a model. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** The limits of a server. */
export interface QuotaConfig {
  readonly rules: readonly QuotaRule[];
  /** By the label of a model (`google/gemini-2.5-flash`); `*` stands for any text. The first that fits counts. */
  readonly prices: Readonly<Record<string, TokenPrice>>;
  /** Turns that run at the same time; others wait, in turn by caller. */
  readonly turnsAtOnce: number;
}

/** Who uses something, and what of. */
export interface QuotaSubject {
  readonly caller: Caller;
  readonly peer: Peer;
  /** `projects/{project}/locations/{location}/apps/{app}`; undefined when no app is concerned. */
  readonly app?: string;
  /** `projects/{project}`; undefined when no project is concerned. */
  readonly project?: string;
}

/** How much was used of rules: by the rule, then by the caller, app or project. */
export type Uses = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What is used up of rules and has not come back yet: by the rule, then by the caller, app or project. */
export interface Balances {
  /** When that was so, milliseconds since the epoch. */
  readonly time: number;
  readonly missing: Uses;
}

/** What a server keeps while none runs, and begins with. */
export interface KeptBalances {
  /** Undefined while nothing is used up. */
  now(): Balances | undefined;
  /** Takes what was used up then, and has not come back since. */
  restore(balances: Balances): void;
  /** Milliseconds in which everything that is used up has come back; undefined without rules. */
  readonly comesBackMs: number | undefined;
}

/** What servers that grant the same limits together tell each other. */
export interface SharedUses {
  /** What was used here since the last call; undefined for nothing. */
  take(): Uses | undefined;
  /** Counts what was used elsewhere. */
  add(uses: Uses): void;
}

/** What one subject used of a rule. */
export interface QuotaUse {
  readonly rule: QuotaRule;
  /** The caller, app or project, as refusals name it. */
  readonly subject: string;
  /** How much of the rule's burst, or of its open streams, is used up; more than all of it where something has to be paid off. */
  readonly used: number;
  /** Milliseconds until the next use is granted; 0 for now. */
  readonly retryMs: number;
}

/** The quotas of a server, counted in this process. */
export interface Quotas {
  /** Counts one use of each measure. Throws RESOURCE_EXHAUSTED, and then counts none of them. */
  use(subject: QuotaSubject, measures: readonly QuotaMeasure[]): void;
  /** Throws RESOURCE_EXHAUSTED when earlier charges of a measure are not paid off yet. */
  checkPaid(subject: QuotaSubject, measures: readonly QuotaMeasure[]): void;
  /** Counts what is known only afterwards. It is never refused; later uses wait until it is paid off. */
  charge(subject: QuotaSubject, measure: QuotaMeasure, amount: number): void;
  /** Takes a place among the open streams; the result gives it back. Throws RESOURCE_EXHAUSTED when there is none. */
  openStream(subject: QuotaSubject): () => void;
  /** What is used up now of every rule, the fullest first; subjects of which everything came back are left out. */
  list(): readonly QuotaUse[];
  /** Whether a rule counts the measure. */
  counts(measure: QuotaMeasure): boolean;
}
