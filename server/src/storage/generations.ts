/** Keys that have counters of their own; beyond that, all counters start again from a common floor. */
const MAX_KEYS = 10_000;

/** Counters that grow with writes: keys for caches of rows. They live as long as the process. */
interface Generations {
  /** Of a row, with the rows directly below it that are of these types. */
  of(name: string, childTypes?: readonly string[]): number;
  /** A row of a type was written or deleted; without a type, one of any type. */
  bump(name: string, type?: string): void;
  /** Everything at and below the name was deleted. */
  bumpTree(name: string): void;
  /** Anything may have been written. */
  bumpAll(): void;
}

/** Creates counters that are all zero. */
export function createGenerations(): Generations {
  const rows = new Map<string, number>();
  /** By the name above the rows, then by their type. */
  const children = new Map<string, Map<string, number>>();
  const trees = new Map<string, number>();
  let keys = 0;
  let sequence = 0;
  // The counter of a key without an own one: at least its former value, so that a cache is invalidated too often rather than too seldom.
  let floor = 0;

  function count(counters: Map<string, number>, key: string): void {
    if (!counters.has(key)) keys += 1;
    counters.set(key, sequence);
  }

  function bump(name: string, type = ANY_TYPE): void {
    if (keys > MAX_KEYS) reset();
    sequence += 1;
    count(rows, name);
    const parent = parentOf(name);
    const types = children.get(parent) ?? new Map<string, number>();
    children.set(parent, types);
    count(types, type);
  }

  function bumpTree(name: string): void {
    bump(name);
    count(trees, name);
  }

  function bumpAll(): void {
    sequence += 1;
    reset();
  }

  function reset(): void {
    rows.clear();
    children.clear();
    trees.clear();
    keys = 0;
    floor = sequence;
  }

  function of(name: string, childTypes: readonly string[] = []): number {
    let latest = Math.max(floor, rows.get(name) ?? 0);
    const types = children.get(name);
    if (types) {
      latest = Math.max(latest, types.get(ANY_TYPE) ?? 0);
      for (const type of childTypes) latest = Math.max(latest, types.get(type) ?? 0);
    }
    if (trees.size === 0) return latest;
    return selfAndAncestors(name).reduce((last, ancestor) => Math.max(last, trees.get(ancestor) ?? 0), latest);
  }

  return { of, bump, bumpTree, bumpAll };
}

const ANY_TYPE = "";

/** `a/1/b/2` gives `a/1`: names are pairs of collection and id. */
function parentOf(name: string): string {
  return name.split("/").slice(0, -2).join("/");
}

/** `a/1/b/2` gives `a/1/b/2` and `a/1`. */
function selfAndAncestors(name: string): readonly string[] {
  const found: string[] = [];
  for (let at = name; at !== ""; at = parentOf(at)) found.push(at);
  return found;
}
