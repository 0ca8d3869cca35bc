/** A name with each run of underscores as one, as the hosted product spells the ids of OpenAPI operations in its exports (TSET-12). */
export function collapseUnderscores(name: string): string {
  return name.includes("__") ? name.replaceAll(/_{2,}/g, "_") : name;
}

/**
 * The known names that a reference can mean: the name itself, else all that differ from it only in the length of runs of underscores.
 * More than one is ambiguous.
 */
export function matchingNames(reference: string, known: readonly string[]): readonly string[] {
  if (known.includes(reference)) return [reference];
  const collapsed = collapseUnderscores(reference);
  return known.filter((name) => collapseUnderscores(name) === collapsed);
}
