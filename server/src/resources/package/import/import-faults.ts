/** How an import tells a resource that it leaves out (PKG-28), in the hosted product's wording. */
export const REMOVED = "was removed due to import error";

/** How it ends what it tells of Python that cannot run. */
export const DOES_NOT_LOAD = "It was imported, but it does not load.";

/**
 * What is wrong, when a warning of an import says that something of the package is not there or will not run; undefined for advice. Begins with the file, and
 * line and column where they are known.
 */
export function importFault(warning: string): string | undefined {
  const [, reason] = warning.split(`${REMOVED}: `);
  return reason ?? (warning.endsWith(DOES_NOT_LOAD) ? warning.slice(0, -DOES_NOT_LOAD.length).trimEnd() : undefined);
}
