/** How long tables that were listed stay so: pages and searches follow each other, and each would ask all databases again. */
const LISTED_MS = 30_000;
/** Lists that are kept at once. */
const MAX_KEPT = 100;

/** Keeps the last result of each key for a moment. One that failed is not kept. */
export function shortTermCache<Result>(read: (key: string) => Promise<Result>): (key: string) => Promise<Result> {
  const kept = new Map<string, Promise<Result>>();
  return (key) => {
    const known = kept.get(key);
    if (known) return known;
    const result = read(key);
    kept.set(key, result);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    const forget = () => {
      if (kept.get(key) === result) kept.delete(key);
    };
    result.then(() => setTimeout(forget, LISTED_MS).unref(), forget);
    return result;
  };
}
