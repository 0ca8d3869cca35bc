/** Keys that have counters of their own; beyond that, all counters start again from a common floor. */
const MAX_KEYS = 10_000;

/** Counters that grow with writes: keys for caches of rows. They live as long as the process. */
interface Generations {
  /** Of a row, with the rows directly below it that are of these types. */
  of(name: string, childTypes?: readonly string[]): number;
  /** The names of those rows that were written or deleted after a generation of theirs; undefined when that is no longer known. */
  changedSince(generation: number, name: string, childTypes: readonly string[]): readonly string[] | undefined;
  /** A row of a type was written or deleted; without a type, one of any type. */
  bump(name: string, type?: string): void;
  /** Everything at and below the name was deleted. */
  bumpTree(name: string): void;
  /** Anything may have been written. */
  bumpAll(): void;
}

/** Creates counters that are all zero. */
export function createGenerations(): Generations {
  /** By the name above the rows. */
  const families = new Map<string, Family>();
  const trees = new Map<string, number>();
  let keys = 0;
  let sequence = 0;
  // The counter of a key without an own one: at least its former value, so that a cache is invalidated too often rather than too seldom.
  let floor = 0;

  function familyOf(parent: string): Family {
    const family = families.get(parent) ?? { rows: new Map(), types: new Map() };
    families.set(parent, family);
    return family;
  }

  function bump(name: string, type = ANY_TYPE): void {
    if (keys > MAX_KEYS) reset();
    sequence += 1;
    const { rows, types } = familyOf(parentOf(name));
    if (!rows.has(name)) keys += 1;
    rows.set(name, { sequence, type });
    types.set(type, sequence);
  }

  function bumpTree(name: string): void {
    bump(name);
    if (!trees.has(name)) keys += 1;
    trees.set(name, sequence);
  }

  function bumpAll(): void {
    sequence += 1;
    reset();
  }

  function reset(): void {
    families.clear();
    trees.clear();
    keys = 0;
    floor = sequence;
  }

  function of(name: string, childTypes: readonly string[] = []): number {
    let latest = Math.max(floor, lastWriteOf(name));
    const types = families.get(name)?.types;
    if (types) {
      latest = Math.max(latest, types.get(ANY_TYPE) ?? 0);
      for (const type of childTypes) latest = Math.max(latest, types.get(type) ?? 0);
    }
    return Math.max(latest, lastDeletionAbove(name));
  }

  function changedSince(
    generation: number,
    name: string,
    childTypes: readonly string[],
  ): readonly string[] | undefined {
    if (generation < floor || generation < lastDeletionAbove(name)) return undefined;
    const wanted = new Set([ANY_TYPE, ...childTypes]);
    const own = lastWriteOf(name) > generation ? [name] : [];
    const children = [...(families.get(name)?.rows ?? [])]
      .filter(([, { sequence: written, type }]) => written > generation && wanted.has(type))
      .map(([child]) => child);
    return [...own, ...children];
  }

  function lastWriteOf(name: string): number {
    return families.get(parentOf(name))?.rows.get(name)?.sequence ?? 0;
  }

  /** The latest deletion of a tree that the name is in. */
  function lastDeletionAbove(name: string): number {
    if (trees.size === 0) return 0;
    return selfAndAncestors(name).reduce((last, ancestor) => Math.max(last, trees.get(ancestor) ?? 0), 0);
  }

  return { of, changedSince, bump, bumpTree, bumpAll };
}

/** The rows directly below one name that were written. */
interface Family {
  readonly rows: Map<string, { readonly sequence: number; readonly type: string }>;
  /** The latest write of each type. */
  readonly types: Map<string, number>;
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
