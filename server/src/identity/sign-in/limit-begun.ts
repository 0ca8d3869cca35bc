import { LRUCache } from "lru-cache";
import { subscriberNetwork } from "#base";
import { quotaExceeded } from "#status";

/** Addresses that are counted at a time. */
const MAX_ADDRESSES = 10_000;

/** What one address began. */
interface Window {
  readonly until: number;
  begun: number;
}

/**
 * Returns what counts logins that are begun from an address, without a credential: it throws RESOURCE_EXHAUSTED beyond `most` in `everyMs`
 * milliseconds, because those that wait are few, and the oldest of everybody give way.
 */
export function limitBegun(most: number, everyMs: number, now: () => number): (address: string) => void {
  const windows = new LRUCache<string, Window>({ max: MAX_ADDRESSES });
  return (address) => {
    const network = subscriberNetwork(address);
    const known = windows.get(network);
    const window = known && known.until > now() ? known : { until: now() + everyMs, begun: 0 };
    if (window.begun >= most)
      throw quotaExceeded(
        `${most} logins were begun from ${network} in ${everyMs / 60_000} minutes. Try again later.`,
        {
          quota: "logins-of-an-address",
          subject: network,
          retryMs: Math.ceil(window.until - now()),
        },
      );
    window.begun += 1;
    windows.set(network, window);
  };
}
