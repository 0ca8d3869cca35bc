/**
 * A list that only grows, and whose forks share what they have in common: a turn that goes on with a session of ten thousand turns copies
 * nothing. Only after a fork that was given up is the list copied.
 */
export class SharedList<T> {
  #items: T[];
  #length: number;

  constructor(items: readonly T[] = []) {
    this.#items = [...items];
    this.#length = items.length;
  }

  /** A list of its own with the same items. */
  fork(): SharedList<T> {
    const fork = new SharedList<T>();
    fork.#items = this.#items;
    fork.#length = this.#length;
    return fork;
  }

  get length(): number {
    return this.#length;
  }

  /** The item at an index; negative ones count from the end. */
  at(index: number): T | undefined {
    const from = index < 0 ? index + this.#length : index;
    return from < this.#length ? this.#items[from] : undefined;
  }

  push(item: T): void {
    // Another fork has gone on from here: its items are not this list's.
    if (this.#items.length !== this.#length) this.#items = this.#items.slice(0, this.#length);
    this.#items.push(item);
    this.#length += 1;
  }

  *[Symbol.iterator](): Generator<T, void> {
    for (let at = 0; at < this.#length; at++) yield this.#items[at] as T;
  }
}
