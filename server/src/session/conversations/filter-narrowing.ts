import type { FilterNode, Restriction } from "#aip";
import { definedFields } from "#base";
import type { ConversationCondition } from "#storage";
import { isClientId, isStartTime, markTermOf, searchedText } from "./filter-terms.ts";

/** What the store decides of a filter: a condition that holds for every conversation that passes. */
interface Narrowing {
  /** Absent: any conversation may pass. */
  readonly where?: ConversationCondition;
  /** No other conversation matches the condition, so nothing is left to test. */
  readonly exact: boolean;
}

/** More terms become no condition: SQL limits the depth of an expression. */
const MAX_TERMS = 100;

const ANY: Narrowing = { exact: false };

/** The narrowing of a filter whose terms have been checked, for the conversations of an app. */
export function narrowingOf(node: FilterNode, app: string): Narrowing {
  return termsOf(node) > MAX_TERMS ? ANY : narrow(node, false, app);
}

function termsOf(node: FilterNode): number {
  if (node.kind === "not") return termsOf(node.operand);
  if (node.kind !== "and" && node.kind !== "or") return 1;
  return node.operands.reduce((sum, each) => sum + termsOf(each), 0);
}

/** Negations are moved to the terms (De Morgan), because only the opposite of an exact condition narrows. */
function narrow(node: FilterNode, negated: boolean, app: string): Narrowing {
  switch (node.kind) {
    case "not":
      return narrow(node.operand, !negated, app);
    case "and":
    case "or": {
      const operands = node.operands.map((each) => narrow(each, negated, app));
      return (node.kind === "and") === negated ? anyOf(operands) : allOf(operands);
    }
    case "restriction":
      return narrowRestriction(node, negated, app);
    default:
      return signed({ kind: "search", words: searchedText(node) }, negated);
  }
}

function allOf(operands: readonly Narrowing[]): Narrowing {
  const known = operands.flatMap(({ where }) => where ?? []);
  if (known.length === 0) return ANY;
  return { where: { kind: "and", operands: known }, exact: operands.every(({ exact }) => exact) };
}

function anyOf(operands: readonly Narrowing[]): Narrowing {
  const known = operands.flatMap(({ where }) => where ?? []);
  if (known.length < operands.length) return ANY;
  return { where: { kind: "or", operands: known }, exact: operands.every(({ exact }) => exact) };
}

function signed(condition: ConversationCondition, negated: boolean): Narrowing {
  return { where: negated ? { kind: "not", operand: condition } : condition, exact: true };
}

function narrowRestriction(node: Restriction, negated: boolean, app: string): Narrowing {
  const { comparator, value } = node;
  const mark = markTermOf(node);
  if (mark) return signed({ kind: "search", words: mark.word }, negated !== mark.negated);
  if (isClientId(node) && comparator === "=" && !value.text.includes("*"))
    return signed({ kind: "name", name: `${app}/conversations/${value.text}` }, negated);
  if (!isStartTime(node) || negated || comparator === "!=") return ANY;
  return narrowStart(comparator, Date.parse(value.text));
}

/** Bounds around what matches: stored times have fractions of a millisecond, shown ones do not. */
function narrowStart(comparator: string, time: number): Narrowing {
  if (Number.isNaN(time)) return ANY; // `start_time:*`
  const from = comparator.startsWith("<") ? undefined : time;
  const to = comparator.startsWith(">") ? undefined : time + 1;
  return { where: { kind: "start", ...definedFields({ from, to }) }, exact: false };
}
