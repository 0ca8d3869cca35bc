import type { FilterNode, Restriction } from "./syntax.ts";

/**
 * The operands of the filter's top-level AND, nested ANDs flattened; an OR or NOT is one operand.
 */
function conjuncts(node: FilterNode | undefined): readonly FilterNode[] {
  if (!node) return [];
  return node.kind === "and" ? node.operands.flatMap(conjuncts) : [node];
}

/** The AND of some terms: the opposite of `conjuncts`. */
function conjunction(terms: readonly FilterNode[]): FilterNode | undefined {
  return terms.length > 1 ? { kind: "and", operands: terms } : terms[0];
}

/**
 * Splits the top-level terms of a filter, for callers that answer some of them by other means than a test on the message (a flag, an index,
 * a full-text search): those that `matches` accepts, and the filter of the rest.
 */
export function partitionTerms<T extends FilterNode>(
  node: FilterNode | undefined,
  matches: (term: FilterNode) => term is T,
): { readonly matched: readonly T[]; readonly rest: FilterNode | undefined } {
  const terms = conjuncts(node);
  return { matched: terms.filter(matches), rest: conjunction(terms.filter((term) => !matches(term))) };
}

/** Whether a term compares exactly this path (dots between segments). */
export function isRestrictionOf(path: string): (term: FilterNode) => term is Restriction {
  return (term): term is Restriction => term.kind === "restriction" && term.path.join(".") === path;
}
