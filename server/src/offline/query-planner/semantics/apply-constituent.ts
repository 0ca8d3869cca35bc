import type { Constituent } from "../constituents/constituent.ts";
import { computedOf } from "../lexicon/computed.ts";
import { columnLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Combination } from "../query/semantic-query.ts";
import { applyAverageBound, applyBound } from "./apply-bound.ts";
import { applyReference } from "./apply-reference.ts";
import { applyTime } from "./apply-time.ts";
import { applyUnknown } from "./apply-unknown.ts";
import { applyNumber, applyQuotedText } from "./apply-value.ts";
import { applyRanking } from "./grouping.ts";
import type { SemanticParse } from "./semantic-parse.ts";

/** Applies the constituent at position `at` to the parse. */
export function applyConstituent(parse: SemanticParse, constituent: Constituent, at: number): void {
  switch (constituent.kind) {
    case "ref":
      applyReference(parse, constituent, at);
      return;
    case "top":
      if (!namesBothEnds(parse, constituent, at)) applyRanking(parse, judged(parse, constituent, at));
      return;
    case "compare":
    case "between":
      applyBound(parse, constituent, at);
      return;
    case "average-bound":
      applyAverageBound(parse, constituent.comparison);
      return;
    case "period":
    case "grain":
    case "part":
    case "unit":
    case "days":
    case "moving":
      applyTime(parse, constituent);
      return;
    case "quoted":
      applyQuotedText(parse, constituent.text, at);
      return;
    case "number":
      if (countsNext(parse, at)) applyBound(parse, { kind: "compare", comparison: "=", value: constituent.value }, at);
      else applyNumber(parse, constituent, at);
      return;
    case "follow-up":
      applyFollowUp(parse, constituent, at);
      return;
    case "equality":
      applyEquality(parse, constituent.negated);
      return;
    case "impossible":
      parse.refusals.push(constituent.why);
      return;
    case "unknown":
      applyUnknown(parse, constituent.text, at);
      return;
    case "share":
    case "growth":
    case "running":
    case "latest":
    case "chart":
      applyModifier(parse, constituent, at);
      return;
    default:
      applyKeyword(parse, constituent, at);
      return;
  }
}

/** "highest and lowest mark": both ends of a number, and no ranking (CA-104). */
function namesBothEnds({ constituents, draft, pending, otherAggregates }: SemanticParse, top: Top, at: number) {
  const [before, joint] = [constituents[at - 2], constituents[at - 1]];
  if (before?.kind !== "top" || joint?.kind !== "follow-up" || before.direction === top.direction) return false;
  if ([before, top].some(({ count, by, judges }) => count !== undefined || by || judges)) return false;
  otherAggregates.push(before.direction === "most" ? "max" : "min");
  pending.aggregate = top.direction === "most" ? "max" : "min";
  pending.top = false;
  delete draft.top;
  return true;
}

/** "orders with 7 lines": so many rows that belong to each, and no key of one of them (CA-89). */
function countsNext({ constituents, last, model }: SemanticParse, at: number): boolean {
  const next = constituents[at + 1];
  if (next?.kind !== "ref" || !next.plural || last?.kind !== "table") return false;
  const joins = joinsOf(model);
  return next.meanings.some(
    ({ kind, table }) =>
      kind === "table" && table !== last.table && joins.path(table, last.table, new Set()) !== undefined,
  );
}

/** "status != Delivered"; "not with status != Delivered" are those that are. */
function applyEquality({ pending, cues }: SemanticParse, negated: boolean): void {
  pending.negated = cues.openNegation !== negated;
  cues.openNegation = pending.negated;
}

/** A keyword that affects the constituents after it, or the question as a whole. */
type Keyword = Extract<
  Constituent,
  {
    kind:
      | "aggregate"
      | "count"
      | "group"
      | "which"
      | "list"
      | "moment"
      | "shift"
      | "event"
      | "money"
      | "amount"
      | "both"
      | "over-time"
      | "not"
      | "versus";
  }
>;

/** Stores a keyword until its object follows. */
function applyKeyword(parse: SemanticParse, word: Keyword, at: number): void {
  const { pending, cues } = parse;
  switch (word.kind) {
    case "aggregate":
      if (pending.aggregate && parse.constituents[at - 1]?.kind === "follow-up")
        parse.otherAggregates.push(pending.aggregate);
      pending.aggregate = word.fn;
      return;
    case "count":
      pending.count = true;
      return;
    case "group":
      pending.group = true;
      cues.per = word.word === "per";
      cues.combines = combinationOf(word.word);
      return;
    case "which":
      applyWhich(parse, word);
      return;
    case "list":
      cues.listed = true;
      return;
    case "moment":
      if (word.text !== undefined && !isBeforeTable(parse, at)) {
        applyUnknown(parse, word.text, at);
        return;
      }
      parse.moment = word.fn;
      cues.namesMoment = word.names ?? false;
      cues.moment = word.said;
      return;
    case "shift":
      parse.shift = word.grain;
      return;
    case "event":
      cues.event = true;
      return;
    case "money":
      cues.money = true;
      return;
    case "amount":
      cues.amount ??= word.text;
      return;
    case "both":
      parse.unknown.push("both");
      return;
    case "over-time":
      cues.overTime = true;
      return;
    case "not":
      pending.negated = true;
      cues.openNegation = true;
      cues.missing = word.missing ?? false;
      cues.never = word.never ?? false;
      return;
    case "versus":
      pending.group = false;
      cues.versus = true;
      return;
  }
}

/** Numbers of which less is better, by their names. */
const BETTER_IF_LESS =
  /\b(cost|price|fee|wait|complaints?|defects?|errors?|loss|losses|expenses?|debt|absences?|churn|refunds?|returns?|failures?|fail|defect|damage|cancel\w*|late)\b/;

/** "worst delay" is the longest; of other numbers that may be meant so, what was read is told. */
function judged({ constituents, warnings }: SemanticParse, top: Top, at: number): Top {
  if (!top.judges) return top;
  const meanings = constituents.slice(at + 1).flatMap((one) => (one.kind === "ref" ? one.meanings : []));
  const opposite = top.direction === "most" ? "least" : "most";
  if (meanings.some((one) => one.kind === "column" && computedOf(one.column)?.kind === "elapsed")) {
    warnings.push(`“${top.judges}” is read as the ${top.judges === "worst" ? "longest" : "shortest"} time.`);
    return { ...top, direction: opposite };
  }
  const isDoubtful = meanings.some(
    (one) =>
      (one.kind === "column" || one.kind === "rate") &&
      BETTER_IF_LESS.test(one.kind === "rate" ? one.value.toLowerCase() : columnLabel(one.table, one.column)),
  );
  const [read, other] = top.direction === "most" ? ["highest", "lowest"] : ["lowest", "highest"];
  if (isDoubtful) warnings.push(`“${top.judges}” is read as the ${read} number; say “${other}” for the other end.`);
  return top;
}

type Top = Extract<Constituent, { kind: "top" }>;

function combinationOf(word: string): Combination | undefined {
  if (word === "per") return "/";
  return word === "%" || word === "-" || word === "+" ? word : undefined;
}

/** "the first order" is one; "the first 10 minutes" are none. */
function isBeforeTable({ constituents }: SemanticParse, at: number): boolean {
  const next = constituents[at + 1];
  return next?.kind === "ref" && !next.plural && next.meanings.some(({ kind }) => kind === "table");
}

/** "customers who joined": after a name, "who" has no effect. */
function applyWhich(
  { subjects, draft, pending, cues }: SemanticParse,
  { person }: Extract<Constituent, { kind: "which" }>,
): void {
  if (person && (subjects.length > 0 || draft.measures.length > 0 || draft.dimensions.length > 0)) return;
  pending.which = true;
  cues.person ||= person ?? false;
}

/** How the rows are presented: as shares, as growth, as a running total, the newest of them, as a chart. */
type Modifier = Extract<Constituent, { kind: "share" | "growth" | "running" | "latest" | "chart" }>;

/** Adds a modifier to the draft. */
function applyModifier({ draft, cues, constituents, unknown }: SemanticParse, requested: Modifier, at: number): void {
  switch (requested.kind) {
    case "share":
      if (constituents[at - 1]?.kind === "top")
        unknown.push("percent"); // "top 10 percent" belongs to a ranking, it is no share
      else draft.share = true;
      return;
    case "growth":
      draft.growth = draft.growth === "year" ? "year" : requested.against;
      cues.grownBy = requested.grain;
      return;
    case "running":
      draft.running = true;
      return;
    case "latest":
      cues.listed = true;
      draft.latest = requested.count;
      return;
    case "chart":
      draft.chart = { ...draft.chart, mark: requested.mark };
      return;
  }
}

/** "what about", "and by": a follow-up only at the beginning of a question. */
function applyFollowUp(
  parse: SemanticParse,
  { adds, text }: Extract<Constituent, { kind: "follow-up" }>,
  at: number,
): void {
  const { constituents, cues } = parse;
  if (constituents.slice(0, at).some(({ kind }) => kind !== "follow-up")) {
    // "patients with the same town" compares rows with each other; "do the same by month" goes on.
    if (text !== undefined && constituents[at + 1]?.kind === "ref") parse.unknown.push(text);
    if (adds && continuesGrouping(parse, at)) parse.pending.group = true;
    return;
  }
  cues.followsUp = true;
  cues.adds ||= adds ?? false;
}

/** "by segment and region", "by month and region", "by region and month": what follows the "and" is a dimension, too. */
function continuesGrouping({ constituents, draft, last }: SemanticParse, at: number): boolean {
  const [before, next] = [constituents[at - 1], constituents[at + 1]];
  const grouped = draft.dimensions.at(-1);
  if (before?.kind === "grain" || before?.kind === "part" || before?.kind === "unit")
    return next?.kind === "ref" && next.meanings.some(({ kind }) => kind === "table");
  if (next?.kind === "unit" && before?.kind === "ref" && constituents[at - 2]?.kind === "group")
    return grouped !== undefined;
  if (before?.kind !== "ref" || next?.kind !== "ref" || !next.meanings.some(({ kind }) => kind === "table"))
    return false;
  if (grouped?.kind === "column") return last?.kind === "column" && last.column === grouped.column;
  return grouped?.kind === "entity" && last?.kind === "table" && last.table === grouped.table;
}
