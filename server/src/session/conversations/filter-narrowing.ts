import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { type FilterNode, type Restriction, snakeCase } from "#aip";
import { definedFields } from "#base";
import type { ConversationColumn, ConversationCondition } from "#storage";
import { isClientId, markTermOf, saidIn, searchedText, timeOf } from "./filter-terms.ts";

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
  const said = saidIn(node);
  if (said) return signed({ kind: "search", ...said }, negated);
  const mark = markTermOf(node);
  if (mark) return signed({ kind: "search", words: mark.word }, negated !== mark.negated);
  if (isClientId(node) && comparator === "=" && !value.text.includes("*"))
    return signed({ kind: "name", name: `${app}/conversations/${value.text}` }, negated);
  const column = columnOf(node);
  if (column) return narrowColumn(column, node, negated);
  const time = timeOf(node);
  if (!time || negated || comparator === "!=") return ANY;
  return narrowTime(time, comparator, Date.parse(value.text));
}

/** The column of a field by either of its names. */
function columnOf({ path }: Restriction): ConversationColumn | undefined {
  const [name = ""] = path;
  return path.length === 1 ? COLUMNS.find((column) => column === snakeCase(name)) : undefined;
}

const COLUMNS: readonly ConversationColumn[] = [
  "source",
  "turn_count",
  "language_code",
  "entry_agent",
  "deployment",
  "app_version",
];

/** A comparison that the database makes as the filter language does: of texts as a whole, of numbers as integers of 32 bits. */
function narrowColumn(
  column: ConversationColumn,
  { comparator: written, value: { text } }: Restriction,
  negated: boolean,
): Narrowing {
  const comparator = written === "!=" ? "=" : written;
  const value = valueIn(column, text);
  if (value === undefined || comparator === ":") return ANY;
  if (comparator !== "=" && column !== "turn_count") return ANY;
  return signed({ kind: "column", column, comparator, value }, negated !== (written === "!="));
}

function valueIn(column: ConversationColumn, text: string): string | number | undefined {
  if (column === "source") {
    const source: unknown = Source[text.toUpperCase() as keyof typeof Source];
    return typeof source === "number" ? source : undefined;
  }
  if (column !== "turn_count") return text.includes("*") ? undefined : text;
  const number = Number(text);
  return number === (number | 0) ? number : undefined;
}

/** Bounds around what matches: stored times have fractions of a millisecond, shown ones do not. */
function narrowTime(column: "start_time" | "end_time", comparator: string, time: number): Narrowing {
  if (Number.isNaN(time)) return ANY; // `start_time:*`
  const from = comparator.startsWith("<") ? undefined : time;
  const to = comparator.startsWith(">") ? undefined : time + 1;
  return { where: { kind: "time", column, ...definedFields({ from, to }) }, exact: false };
}
