import type { FilterNode, FunctionCall, Restriction } from "./syntax.ts";

/**
 * The terms that must all hold, for callers that answer some of them by other means than the message (a flag, an index, a full-text
 * search). An OR or NOT stays one term.
 */
export function conjuncts(node: FilterNode | undefined): readonly FilterNode[] {
  if (!node) return [];
  return node.kind === "and" ? node.operands.flatMap(conjuncts) : [node];
}

/** The opposite of `conjuncts`. */
export function conjunction(terms: readonly FilterNode[]): FilterNode | undefined {
  return terms.length > 1 ? { kind: "and", operands: terms } : terms[0];
}

/** Splits off the terms that `take` says it answers itself. */
export function takeTerms<T extends FilterNode>(
  node: FilterNode | undefined,
  take: (term: FilterNode) => term is T,
): { readonly taken: readonly T[]; readonly rest: FilterNode | undefined } {
  const terms = conjuncts(node);
  return { taken: terms.filter(take), rest: conjunction(terms.filter((term) => !take(term))) };
}

/** Whether a term compares exactly this path (dots between segments). */
export function isRestrictionOf(path: string): (term: FilterNode) => term is Restriction {
  return (term): term is Restriction => term.kind === "restriction" && term.path.join(".") === path;
}

/** Whether a term calls exactly this function. */
export function isCallOf(name: string): (term: FilterNode) => term is FunctionCall {
  return (term): term is FunctionCall => term.kind === "function" && term.name === name;
}
