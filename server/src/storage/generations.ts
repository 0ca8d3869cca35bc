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
  const keys = new Map<string, number>();
  const trees = new Map<string, number>();
  let sequence = 0;
  // The counter of a key without an own one: at least its former value, so that a cache is invalidated too often rather than too seldom.
  let floor = 0;

  function bump(name: string, type = ANY_TYPE): void {
    if (keys.size + trees.size > MAX_KEYS) reset();
    sequence += 1;
    keys.set(name, sequence);
    keys.set(childrenOf(parentOf(name), type), sequence);
  }

  function bumpTree(name: string): void {
    bump(name);
    trees.set(name, sequence);
  }

  function bumpAll(): void {
    sequence += 1;
    reset();
  }

  function reset(): void {
    keys.clear();
    trees.clear();
    floor = sequence;
  }

  function of(name: string, childTypes: readonly string[] = []): number {
    const own = [name, ...[ANY_TYPE, ...childTypes].map((type) => childrenOf(name, type))];
    const latest = own.reduce((last, key) => Math.max(last, keys.get(key) ?? 0), floor);
    if (trees.size === 0) return latest;
    return selfAndAncestors(name).reduce((last, ancestor) => Math.max(last, trees.get(ancestor) ?? 0), latest);
  }

  return { of, bump, bumpTree, bumpAll };
}

const ANY_TYPE = "";

/** The key of the rows of a type directly below a name. */
function childrenOf(name: string, type: string): string {
  return `${name}\n${type}`;
}

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
