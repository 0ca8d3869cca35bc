/** Names that have counters of their own; beyond that, all counters start again from a common floor. */
const MAX_NAMES = 10_000;

/** Counters that grow with every write at or below a name: keys for caches of rows. They live as long as the process. */
interface Generations {
  of(name: string): number;
  /** A row was written or deleted. */
  bump(name: string): void;
  /** Everything at and below the name was deleted. */
  bumpTree(name: string): void;
}

/** Creates counters that are all zero. */
export function createGenerations(): Generations {
  const names = new Map<string, number>();
  const trees = new Map<string, number>();
  let sequence = 0;
  // The counter of a name without an own one: at least its former value, so that a cache is invalidated too often rather than too seldom.
  let floor = 0;

  function bump(name: string): void {
    if (names.size + trees.size > MAX_NAMES) reset();
    sequence += 1;
    for (const ancestor of selfAndAncestors(name)) names.set(ancestor, sequence);
  }

  function bumpTree(name: string): void {
    bump(name);
    trees.set(name, sequence);
  }

  function reset(): void {
    names.clear();
    trees.clear();
    floor = sequence;
  }

  function of(name: string): number {
    const own = Math.max(names.get(name) ?? 0, floor);
    if (trees.size === 0) return own;
    return selfAndAncestors(name).reduce((latest, ancestor) => Math.max(latest, trees.get(ancestor) ?? 0), own);
  }

  return { of, bump, bumpTree };
}

/** `a/1/b/2` gives `a/1/b/2` and `a/1`: names are pairs of collection and id. */
function selfAndAncestors(name: string): readonly string[] {
  const segments = name.split("/");
  const found: string[] = [];
  for (let length = segments.length; length > 0; length -= 2) found.push(segments.slice(0, length).join("/"));
  return found;
}
