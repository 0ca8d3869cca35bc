/** Things that are worth keeping by what they are for: made once, and given up when others were wanted more lately. */
export interface Shelf<T> {
  /** The thing of a key, made when there is none. One whose making fails is not kept. */
  get(key: string, make: () => T): T;
}

/** What a shelf holds. Definitions of apps choose the keys, so there may be many. */
const MOST_KEPT = 200;

/** Creates an empty shelf of promises. */
export function createShelf<T extends Promise<unknown>>(): Shelf<T> {
  const kept = new Map<string, T>();
  return {
    get: (key, make) => {
      const thing = kept.get(key) ?? make();
      kept.delete(key);
      kept.set(key, thing);
      thing.catch(() => {
        if (kept.get(key) === thing) kept.delete(key);
      });
      const [oldest] = kept.keys();
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
      return thing;
    },
  };
}
