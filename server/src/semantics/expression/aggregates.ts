import type { Aggregation } from "../model/model.ts";
import { bareNames, nextPiece, type SqlToken, sqlTokens } from "./sql-tokens.ts";

/** An aggregate call in an expression. */
interface AggregateCall {
  readonly aggregation: Aggregation;
  /** Absent for `COUNT(*)`. */
  readonly expr?: string;
}

/** An expression of a metric, cut into its aggregates and what is computed from them. */
interface CutExpression {
  readonly calls: readonly AggregateCall[];
  /** Other metrics that the expression names. */
  readonly inputs: readonly string[];
  /** The expression with a name in place of each call. */
  readonly expression: string;
}

const FUNCTIONS: ReadonlyMap<string, Aggregation> = new Map(
  Object.entries({
    sum: "sum",
    count: "count",
    avg: "average",
    min: "min",
    max: "max",
    median: "median",
    approx_count_distinct: "count_distinct",
    approx_distinct: "count_distinct",
    count_if: "sum_boolean",
    countif: "sum_boolean",
  } as const),
);

/** Cuts `SUM(a) / COUNT(DISTINCT b)`; `isInput`: names of other metrics, which stay. Undefined where something else than arithmetic over known aggregates is computed. */
export function cutAggregates(
  text: string,
  nameOf: (at: number) => string,
  isInput: (name: string) => boolean = () => false,
): CutExpression | undefined {
  const tokens = sqlTokens(text);
  const calls: AggregateCall[] = [];
  const names: string[] = [];
  let expression = "";
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text: piece } = tokens[at] as SqlToken;
    const aggregation = kind === "word" ? FUNCTIONS.get(piece.toLowerCase()) : undefined;
    const open = aggregation ? nextPiece(tokens, at + 1) : -1;
    if (!aggregation || tokens[open]?.text !== "(") {
      expression += piece;
      continue;
    }
    const close = closeOf(tokens, open);
    const call = callOf(aggregation, tokens.slice(open + 1, close));
    if (!call) return undefined;
    const name = nameOf(calls.length);
    calls.push(call);
    names.push(name);
    expression += name;
    at = close;
  }
  const bare = bareNames(expression);
  const inputs = [...new Set(bare.filter((name) => !names.includes(name)))];
  const hasReferences = sqlTokens(expression).some(({ kind }) => kind === "reference");
  if (hasReferences || !inputs.every(isInput) || calls.length + inputs.length === 0) return undefined;
  return { calls, inputs, expression: expression.trim() };
}

function closeOf(tokens: readonly SqlToken[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const { text = "" } = tokens[at] ?? {};
    depth += text === "(" ? 1 : text === ")" ? -1 : 0;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function callOf(aggregation: Aggregation, inside: readonly SqlToken[]): AggregateCall | undefined {
  const text = inside
    .map((token) => token.text)
    .join("")
    .trim();
  if (inside.some(({ kind, text: piece }) => kind === "word" && FUNCTIONS.has(piece.toLowerCase()))) return undefined;
  if (text === "*") return aggregation === "count" ? { aggregation } : undefined;
  const distinct = /^distinct\b\s*/i.exec(text);
  if (!distinct) return text === "" ? undefined : { aggregation, expr: text };
  const expr = text.slice(distinct[0].length);
  return aggregation === "count" && !expr.includes(",") ? { aggregation: "count_distinct", expr } : undefined;
}
