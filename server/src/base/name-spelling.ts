/** A name with each run of underscores as one, as the hosted product spells the ids of OpenAPI operations in its exports (TSET-12). */
export function collapseUnderscores(name: string): string {
  return name.includes("__") ? name.replaceAll(/_{2,}/g, "_") : name;
}

/**
 * The known names that a reference can mean: the name itself, else all that differ from it only in the length of runs of underscores.
 * More than one is ambiguous.
 */
export function matchingNames(reference: string, known: readonly string[]): readonly string[] {
  return nameMatcher(known)(reference);
}

/** `matchingNames` for many references to the same names. */
export function nameMatcher(known: readonly string[]): (reference: string) => readonly string[] {
  const exact = new Set(known);
  const collapsed = Map.groupBy(known, collapseUnderscores);
  return (reference) => (exact.has(reference) ? [reference] : (collapsed.get(collapseUnderscores(reference)) ?? []));
}
