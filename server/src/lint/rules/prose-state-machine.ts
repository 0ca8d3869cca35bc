import type { SourceText } from "../app/source-text.ts";
import type { Report, RuleOptions } from "../contract.ts";

/** How a signal of a state machine looks, and what it belongs to. */
interface Signal {
  readonly category: "retries" | "jumps" | "state" | "dispatch";
  readonly pattern: RegExp;
  /** Enough by itself. */
  readonly isCertain?: true;
  /** A jump under a condition, or back. */
  readonly isStrongEdge?: true;
}

const SIGNALS: readonly Signal[] = [
  { category: "retries", pattern: /\b(?:retry|attempt|try|failure)[_ ]?(?:count|counter)\b/gi, isCertain: true },
  { category: "retries", pattern: /\{\w*(?:retries|attempts)\w*\}/gi, isCertain: true },
  { category: "jumps", pattern: /\bSTOP\.(?=\s|$)/g },
  { category: "jumps", pattern: /\b(?:step|state|subtask) ?["'\w]* ?->/gi },
  {
    category: "jumps",
    pattern: /\bif\b[^.\n]*\b(?:go|jump|skip|proceed|move) to (?:the )?(?:step|subtask|state)\b/gi,
    isStrongEdge: true,
  },
  {
    category: "jumps",
    pattern: /\b(?:loop|go|return|jump) back to (?:the )?(?:step|subtask|state)\b/gi,
    isStrongEdge: true,
  },
  { category: "state", pattern: /\{\w+\}\s*(?:==|!=|is equal to)\s*["'\w]/g },
  {
    category: "state",
    pattern: /\bset\s+\{?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\}?\s+(?:to|=)|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\s*=(?!=)\s*\S/g,
    isCertain: true,
  },
  { category: "dispatch", pattern: /\blookup_flag\b/g, isCertain: true },
  {
    category: "dispatch",
    pattern: /\bfollow (?:the )?(?:returned )?`?agent_action`? (?:verbatim|exactly)/gi,
    isCertain: true,
  },
  { category: "dispatch", pattern: /<(?:step|subtask)[^>]*state[ _-]?machine[^>]*>/gi, isCertain: true },
  { category: "dispatch", pattern: /^\s*[-*]?\s*IF\s+(?:"[A-Z_]{3,}"|result\.\w+)/gim },
];

/**
 * An instruction that makes the model run a state machine: one certain sign, several kinds of signs, or several conditional jumps. Text in
 * `<inline_example>` does not count.
 */
export function* proseStateMachine(source: SourceText, options: RuleOptions): Iterable<Report> {
  const text = source.text.replace(/<inline_example[\s\S]*?<\/inline_example>/g, (example) =>
    example.replace(/[^\n]/g, " "),
  );
  const found = SIGNALS.flatMap((signal) =>
    [...text.matchAll(signal.pattern)].map((match) => ({ ...signal, at: match.index, shown: match[0].trim() })),
  );
  const categories = new Set(found.map(({ category }) => category));
  const edges = found.filter(({ isStrongEdge }) => isStrongEdge);
  const isManyKinds =
    categories.size >= limit(options, "min_distinct_categories", 2) && found.length >= limit(options, "min_total", 4);
  const certain = found.find(({ isCertain }) => isCertain);
  if (!certain && !isManyKinds && edges.length < limit(options, "min_strong_edges", 3)) return;
  const first = certain ?? found.sort((one, other) => one.at - other.at)[0];
  if (!first) return;
  const message = `makes the model run a state machine ('${first.shown}', ${found.length} signs); keep counters, states and jumps in callbacks`;
  yield { place: source.placeAt(first.at), message };
}

function limit(options: RuleOptions, name: string, standard: number): number {
  const value = options[name];
  return typeof value === "number" ? value : standard;
}
