import type { SemanticModel, Token } from "#analytics";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { eventsOf, isDone } from "../lexicon/events.ts";
import { parsePeriod } from "../time/parse-period.ts";
import { combined, distributionOf, numberAt } from "./combine.ts";
import { comparisonWords, readComparison } from "./comparisons.ts";
import { peopleOver } from "./people-over.ts";
import { withMovingWindow } from "./read-calendar.ts";
import { elapsedUnit, eventAt, readElapsed } from "./read-elapsed.ts";
import { rankedAll, rowsOfOnlyTable } from "./rows-and-ranks.ts";

/** A part of a question in other words of the same meaning: `length` tokens become `tokens`. */
interface Rephrased {
  readonly tokens: readonly Token[];
  readonly length: number;
}

/**
 * Brings what people say of times that pass into the one form that is read: "shipped within 3 days" and "took at most 3 days to ship" are "days to
 * ship at most 3 days". What names no event of the data stays as it is.
 */
export function rephrase(asked: readonly Token[], model: SemanticModel, now: Date): readonly Token[] {
  const tokens = rankedAll(rowsOfOnlyTable(onAverage(withMovingWindow(asked)), model), model);
  const words: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const found =
      howLong(tokens, at, model) ??
      tookTo(tokens, at, model) ??
      eventWithin(tokens, at, model) ??
      eventBeyond(tokens, at, model) ??
      lateBy(tokens, at, model) ??
      eventBesideEvent(tokens, at, model, now) ??
      lasted(tokens, at, model) ??
      durationIn(tokens, at, model) ??
      boundOfNamed(tokens, at) ??
      atLeastOne(tokens, at, model) ??
      combined(tokens, at, model) ??
      distributionOf(tokens, at, model) ??
      withSome(tokens, at, model) ??
      yearsOld(tokens, at, model) ??
      peopleOver(tokens, at, model) ??
      averageOrderValue(tokens, at, model) ??
      withoutEvent(tokens, at, model);
    const { tokens: better, length } = found ?? { tokens: tokens.slice(at, at + 1), length: 1 };
    words.push(...better);
    at += length;
  }
  return words;
}

/** "how many orders per customer on average": the average number of them. */
function onAverage(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ stem }, place) => stem === "on" && tokens[place + 1]?.stem === "average");
  const isCount = tokens[0]?.stem === "how" && tokens[1]?.stem === "many" && !elapsedUnit(tokens[2]);
  if (at < 0 || !isCount) return tokens;
  return [...["average", "number", "of"].map(word), ...tokens.slice(2, at), ...tokens.slice(at + 2)];
}

/** A word that the question does not have: it is no part of what is told of its words. */
function word(stem: string): Token {
  return { kind: "word", text: "", stem };
}

const FILLERS =
  /^(do|doe|did|does|it|will|would|usually|typically|normally|generally|actually|on|average|our|the|an|a)$/;
const TAKES = /^(take|took|taken|taking|need|needed)$/;

/** "how long does it take to ship an order", "how long does delivery take", "how many hours from order to shipment". */
function howLong(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  if (tokens[at]?.stem !== "how") return undefined;
  const unit =
    tokens[at + 1]?.stem === "long" ? "day" : tokens[at + 1]?.stem === "many" ? elapsedUnit(tokens[at + 2]) : undefined;
  if (!unit) return undefined;
  const begin = at + (tokens[at + 1]?.stem === "long" ? 2 : 3);
  if (/^(from|between)$/.test(tokens[begin]?.stem ?? "")) return { tokens: [word(unit)], length: begin - at };
  const takes = tokens.slice(begin, begin + 8).findIndex(({ stem }) => TAKES.test(stem)) + begin;
  if (takes < begin) return undefined;
  const between = tokens.slice(begin, takes);
  const average = between.some(({ stem }) => stem === "average") ? [word("average")] : [];
  const said = between.filter(({ stem }) => !FILLERS.test(stem));
  const opens = tokens.slice(takes + 1, takes + 5).findIndex(({ stem }) => /^(to|until|till)$/.test(stem)) + takes + 1;
  const end = opens > takes ? eventAt(tokens, opens + 1, model) : undefined;
  if (end) {
    const event = tokens.slice(opens + 1, opens + 1 + end.length);
    const rest = tokens.slice(takes + 1, opens).filter(({ stem }) => stem !== "for");
    return {
      tokens: [...average, word(unit), word("to"), ...event, ...said, ...rest],
      length: opens + 1 + end.length - at,
    };
  }
  const timed = [...said, word("time")];
  if (readElapsed(timed, 0, model)?.length !== timed.length) return undefined;
  return { tokens: [...average, ...timed, word("in"), word(unit)], length: takes + 1 - at };
}

/** A bound with its unit: "more than 5 days", "between 2 and 5 days". */
function boundAt(
  tokens: readonly Token[],
  at: number,
): { readonly tokens: readonly Token[]; readonly length: number } | undefined {
  const read = readComparison(tokens, at);
  if (!read || !elapsedUnit(tokens[at + read.length])) return undefined;
  const length = read.length + 1;
  return { tokens: tokens.slice(at, at + length), length };
}

const LATE = /^(late|delayed|behind)$/;
const DELAY: Token = { kind: "word", text: "delay", stem: "delay" };

/** "arrived more than 10 minutes late", "late by at least 5 minutes", "how late do trains arrive": bounds and means of a delay. */
function lateBy(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const lexicon = lexiconOf(model);
  if (!lexicon.has("delay")) return undefined;
  const eventOf = (place: number) => {
    const token = tokens[place];
    const isTimed = lexicon.get(token?.stem ?? "")?.some(({ stems }) => stems.length === 2 && stems[1] === "delay");
    return token && isTimed ? [token] : [];
  };
  if (tokens[at]?.stem === "how" && LATE.test(tokens[at + 1]?.stem ?? "")) {
    const rest = tokens.slice(at + 2);
    const said = rest.findIndex((_, offset) => eventOf(at + 2 + offset).length > 0);
    const kept = rest.filter(
      ({ stem }, place) => place !== said && !/^(on|average|did|do|were|was|are|is)$/.test(stem),
    );
    return {
      tokens: [word("average"), ...(said < 0 ? [] : eventOf(at + 2 + said)), DELAY, word("of"), ...kept],
      length: tokens.length - at,
    };
  }
  const event = eventOf(at);
  const next = at + event.length;
  if (LATE.test(tokens[next]?.stem ?? "") && tokens[next + 1]?.stem === "by") {
    const bound = boundAt(tokens, next + 2);
    return bound && { tokens: [...event, DELAY, ...bound.tokens], length: next + 2 + bound.length - at };
  }
  const bound = boundAt(tokens, next);
  if (!bound || !LATE.test(tokens[next + bound.length]?.stem ?? "")) return undefined;
  return { tokens: [...event, DELAY, ...bound.tokens], length: next + bound.length + 1 - at };
}

/** The unit of a bound, in which the time is told, too. */
function unitOf(bound: { readonly tokens: readonly Token[] }): Token {
  return word(elapsedUnit(bound.tokens.at(-1)) ?? "day");
}

/** "orders that took more than 5 days to deliver". */
function tookTo(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  if (!TAKES.test(tokens[at]?.stem ?? "")) return undefined;
  const bound = boundAt(tokens, at + 1);
  const opens = at + 1 + (bound?.length ?? 0);
  if (!bound || tokens[opens]?.stem !== "to") return undefined;
  const end = eventAt(tokens, opens + 1, model);
  if (!end) return undefined;
  const event = tokens.slice(opens + 1, opens + 1 + end.length);
  return { tokens: [unitOf(bound), word("to"), ...event, ...bound.tokens], length: opens + 1 + end.length - at };
}

/** "shipped within 2 days of the order", "delivered in less than 3 days". */
function eventWithin(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const event = eventAt(tokens, at, model);
  if (!event) return undefined;
  const next = at + event.length;
  const isWithin = tokens[next]?.stem === "within";
  if (!isWithin && !happened(tokens, at, model)) return undefined;
  const bound = isWithin
    ? within(tokens, next + 1)
    : tokens[next]?.stem === "in"
      ? boundAt(tokens, next + 1)
      : undefined;
  if (!bound) return undefined;
  const end = next + 1 + bound.length;
  const since = /^(of|from|after|since)$/.test(tokens[end]?.stem ?? "") ? eventAt(tokens, end + 1, model) : undefined;
  if (since && !mayPrecede(since.refs, event.refs)) return undefined;
  if (!since && /^(of|from|after|since)$/.test(tokens[end]?.stem ?? "")) return undefined;
  const from = since ? [word("from"), ...tokens.slice(end + 1, end + 1 + since.length)] : [];
  const length = end + (since ? 1 + since.length : 0) - at;
  const elapsed = [unitOf(bound), ...from, word("to"), ...tokens.slice(at, next)];
  return readElapsed(elapsed, 0, model) && { tokens: [...elapsed, ...bound.tokens], length };
}

/** "admitted within 30 days of discharge" is about the next row: of one row the admission comes first. */
function mayPrecede(starts: readonly ColumnRef[], ends: readonly ColumnRef[]): boolean {
  return starts.some((from) =>
    ends.some((to) => {
      const { columns } = to.table;
      return from.table !== to.table || columns.indexOf(from.column) < columns.indexOf(to.column);
    }),
  );
}

/** "3 days", "a week" behind "within". */
function within(tokens: readonly Token[], at: number) {
  const [number, unit] = [tokens[at], tokens[at + 1]];
  const isOne = /^(a|an|one)$/.test(number?.stem ?? "");
  if (!number || !unit || !(isOne || number.kind === "number") || !elapsedUnit(unit)) return undefined;
  return {
    tokens: [
      { kind: "symbol" as const, text: "", stem: "<=" },
      { ...number, kind: "number" as const, value: isOne ? 1 : number.value },
      unit,
    ],
    length: 2,
  };
}

/** "paid more than 10 days after the due date". */
function eventBeyond(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const event = happened(tokens, at, model);
  const bound = event && boundAt(tokens, at + event.length);
  if (!event || !bound) return undefined;
  const side = at + event.length + bound.length;
  const other = eventAt(tokens, side + 1, model);
  if (!other || !/^(after|before)$/.test(tokens[side]?.stem ?? "")) return undefined;
  const own = tokens.slice(at, at + event.length);
  const second = tokens.slice(side + 1, side + 1 + other.length);
  const [from, to] = tokens[side]?.stem === "after" ? [second, own] : [own, second];
  return {
    tokens: [unitOf(bound), word("from"), ...from, word("to"), ...to, ...bound.tokens],
    length: side + 1 + other.length - at,
  };
}

const SIDES: readonly (readonly [words: readonly string[], sign: string])[] = [
  [["on", "or", "before"], "<="],
  [["on", "or", "after"], ">="],
  [["no", "later", "than"], "<="],
  [["later", "than"], ">"],
  [["earlier", "than"], "<"],
  [["after"], ">"],
  [["before"], "<"],
];

/** "delivered after the promised date": two times of a row, and no day of the calendar. */
function eventBesideEvent(
  tokens: readonly Token[],
  at: number,
  model: SemanticModel,
  now: Date,
): Rephrased | undefined {
  const event = happened(tokens, at, model);
  if (!event) return undefined;
  const next = at + event.length;
  const side = SIDES.find(([words]) => words.every((one, offset) => tokens[next + offset]?.stem === one));
  if (!side) return undefined;
  const [words, compared] = side;
  const begin = next + words.length;
  const other = parsePeriod(tokens, begin, now) ? undefined : eventAt(tokens, begin, model);
  if (!other) return undefined;
  const bound: readonly Token[] = [sign(compared), zero()];
  return {
    tokens: [
      ...[word("day"), word("from"), ...tokens.slice(begin, begin + other.length)],
      ...[word("to"), ...tokens.slice(at, next), ...bound],
    ],
    length: begin + other.length - at,
  };
}

/** "delivered", "was shipped": what happened, and not the thing that it happened to. */
function happened(tokens: readonly Token[], at: number, model: SemanticModel) {
  const event = eventAt(tokens, at, model);
  const last = event && tokens[at + event.length - 1]?.stem;
  return event && isDone(last ?? "") && !/^(the|a|an)$/.test(tokens[at]?.stem ?? "") ? event : undefined;
}

/** "admissions that lasted more than 10 days". */
function lasted(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  if (!/^(last|lasted|lasting|stayed|ran)$/.test(tokens[at]?.stem ?? "")) return undefined;
  const bound = boundAt(tokens, at + 1);
  if (!bound || !lexiconOf(model).has("duration")) return undefined;
  return { tokens: [word("duration"), ...bound.tokens], length: 1 + bound.length };
}

/** "outage hours": how long the rows of a table last, in that unit. */
function durationIn(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const unit = elapsedUnit(tokens[at]);
  const before = tokens[at - 1]?.stem ?? "";
  const timed = lexiconOf(model)
    .get(before)
    ?.some(({ stems }) => stems.length === 2 && stems[1] === "duration");
  if (!unit || !timed || tokens[at]?.text.toLowerCase() === unit) return undefined;
  return { tokens: [word("duration"), word("in"), word(unit)], length: 1 };
}

/** "failed at least one inspection" is "failed any inspection": what stands before the number says which inspections, and not how many orders each has. */
function atLeastOne(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const [at0, least, one, rows] = tokens.slice(at, at + 4);
  const isOne = at0?.stem === "at" && least?.stem === "least" && /^(one|1|a|an)$/.test(one?.text ?? "");
  const before = tokens[at - 1];
  // "failed" may be said of the value "Fail".
  const isState = isNamed(before, "value", model) || /ed$/.test(before?.text ?? "");
  if (!isOne || !isState || !isNamed(rows, "table", model)) return undefined;
  return { tokens: [word("any")], length: 3 };
}

/** "sales with a discount": more than nothing of a number; a bound behind it says how much. */
function withSome(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const [verb, article, first] = tokens.slice(at, at + 3);
  const isOwned =
    /^(with|have|has|had|having)$/.test(verb?.stem ?? "") && /^(a|an|any|some)$/.test(article?.stem ?? "");
  if (!isOwned || !first || !tokens.slice(0, at).some((one) => isNamed(one, "table", model))) return undefined;
  const begin = at + 2;
  const length = numberAt(tokens, begin, model);
  const end = begin + length;
  if (length === 0 || !/^(|by|per|in|during|last|this|since|before|after|from|for)$/.test(tokens[end]?.stem ?? ""))
    return undefined;
  return { tokens: [...tokens.slice(begin, end), sign(">"), zero()], length: end - at };
}

function sign(text: string): Token {
  return { kind: "symbol", text, stem: text };
}

function zero(): Token {
  return { kind: "number", text: "0", stem: "0", value: 0 };
}

/** Whether a word alone names such a thing of the data. */
function isNamed(token: Token | undefined, kind: "value" | "table", model: SemanticModel): boolean {
  const phrases = lexiconOf(model).get(token?.stem ?? "") ?? [];
  return phrases.some(({ stems, meanings }) => stems.length === 1 && meanings.some((one) => one.kind === kind));
}

/** "over the age of 60", "above a price of 50": the number that is bounded stands within the bound. */
function boundOfNamed(tokens: readonly Token[], at: number): Rephrased | undefined {
  const length = comparisonWords(tokens, at);
  const begin = at + length + (/^(the|a|an)$/.test(tokens[at + length]?.stem ?? "") ? 1 : 0);
  const of = tokens.slice(begin, begin + 4).findIndex(({ stem }) => stem === "of") + begin;
  const number = tokens[of + 1];
  const named = tokens.slice(begin, of);
  if (length === 0 || of <= begin || number?.kind !== "number" || named.some(({ kind }) => kind !== "word"))
    return undefined;
  return { tokens: [...named, ...tokens.slice(at, at + length), number], length: of + 2 - at };
}

/** "at least 18 years old", "over 60 years of age". */
function yearsOld(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const read = readComparison(tokens, at);
  if (!read || !lexiconOf(model).has("age")) return undefined;
  const end = at + read.length;
  const behind = tokens
    .slice(end, end + 3)
    .map(({ stem }) => stem)
    .join(" ");
  const length = /^year old\b/.test(behind) ? 2 : /^year of age$/.test(behind) ? 3 : 0;
  if (length === 0) return undefined;
  return { tokens: [word("age"), ...tokens.slice(at, end)], length: read.length + length };
}

/** "average order value", where revenue is computed: that of an order, and not of one of its lines. */
function averageOrderValue(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const [average, order, value] = tokens.slice(at, at + 3);
  if (
    !average ||
    !order ||
    !/^(average|mean|avg)$/.test(average.stem) ||
    !/^(value|total|size)$/.test(value?.stem ?? "")
  )
    return undefined;
  const lexicon = lexiconOf(model);
  const revenue = lexicon.get("revenue")?.flatMap(({ meanings }) => meanings) ?? [];
  const isComputed = revenue.some((one) => one.kind === "column" && computedOf(one.column)?.kind === "product");
  const isTable = lexicon.get(order.stem)?.some(({ meanings }) => meanings.some(({ kind }) => kind === "table"));
  if (!isComputed || !isTable || lexicon.get(order.stem)?.some(({ stems }) => stems[1] === value?.stem))
    return undefined;
  return { tokens: [average, { ...word("revenue"), text: "order value" }, word("per"), order], length: 3 };
}

/** The word that “un” before an event, a flag or a state becomes; no question has it. */
const UN = "un-";

/** "unpaid", "unresolved": the data has no name for it, and one for what it denies (CA-79). */
function withoutEvent(tokens: readonly Token[], at: number, model: SemanticModel): Rephrased | undefined {
  const token = tokens[at];
  const denied = token?.kind === "word" ? /^un-?(\p{L}{2,}(?:ed|id|en|nt))$/u.exec(token.stem)?.[1] : undefined;
  const lexicon = lexiconOf(model);
  if (!token || denied === undefined || lexicon.has(token.stem)) return undefined;
  if (!lexicon.has(denied) && !eventsOf(model).byName.has(denied)) return undefined;
  return { tokens: [word(UN), { ...token, stem: denied }], length: 1 };
}
