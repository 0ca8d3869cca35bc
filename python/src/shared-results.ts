import { LRUCache } from "lru-cache";

/** Characters of source whose results are kept. */
const CAPACITY = 16 << 20;

/** A result, and whether it says something about the text: otherwise it is made again the next time. */
interface Finding<Result> {
  readonly result: Result;
  readonly isLasting: boolean;
}

/**
 * What guests find out about texts, kept by text and file name for all tenants. While it is being found out, it belongs to the
 * tenant whose guest works on it: another tenant that has the same text does not wait in that tenant's line.
 */
export class SharedResults<Result> {
  /** By text, then by file name: a long text is looked up as it is, not copied behind a name and hashed for each run. */
  readonly #done = new LRUCache<string, Map<string, Result>>({ maxSize: CAPACITY });
  /** By text, then by tenant and file name. */
  readonly #pending = new Map<string, Map<string, Promise<Result>>>();

  /** The result kept for the text, or what `find` gives. Rejects as `find` does, and keeps nothing then. */
  get(tenant: string, text: string, filename: string, find: () => Promise<Finding<Result>>): Result | Promise<Result> {
    return this.#done.get(text)?.get(filename) ?? this.#find(text, `${tenant}\0${filename}`, filename, find);
  }

  #find(text: string, key: string, filename: string, find: () => Promise<Finding<Result>>): Promise<Result> {
    const pending = this.#pending.get(text) ?? new Map<string, Promise<Result>>();
    const known = pending.get(key);
    if (known) return known;
    const made = this.#make(text, filename, find).finally(() => {
      pending.delete(key);
      if (pending.size === 0) this.#pending.delete(text);
    });
    pending.set(key, made);
    this.#pending.set(text, pending);
    return made;
  }

  async #make(text: string, filename: string, find: () => Promise<Finding<Result>>): Promise<Result> {
    const { result, isLasting } = await find();
    if (isLasting) {
      const named = this.#done.get(text) ?? new Map<string, Result>();
      named.set(filename, result);
      this.#done.set(text, named, { size: (text.length + filename.length + 1) * named.size });
    }
    return result;
  }
}
