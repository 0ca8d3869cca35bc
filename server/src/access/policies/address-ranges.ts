import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** Texts that stay parsed, of each kind: parsing an address costs more than the rest of a condition. */
const MAX_PARSED = 10_000;

type Address = ReturnType<typeof ipaddr.parse>;

/** Addresses and ranges of addresses; those that were asked about lately stay parsed. */
interface AddressRanges {
  /**
   * Whether an address is in a range such as `10.0.0.0/8`, or is the range's only one; IPv4 addresses that are written as IPv6 count as IPv4.
   * Throws for a text that is no range.
   */
  contains(range: string, address: string): boolean;
}

/** Creates ranges of which none is parsed yet. */
export function createAddressRanges(): AddressRanges {
  const ranges = new LRUCache<string, readonly [network: Address, bits: number]>({
    max: MAX_PARSED,
    memoMethod: (text) => ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
  });
  const addresses = new LRUCache<string, Address | "none">({
    max: MAX_PARSED,
    memoMethod: (text) => (ipaddr.isValid(text) ? ipaddr.process(text) : "none"),
  });

  return {
    contains(range, address) {
      const [network, bits] = ranges.memo(range);
      const client = addresses.memo(address);
      return client !== "none" && client.kind() === network.kind() && client.match(network, bits);
    },
  };
}
