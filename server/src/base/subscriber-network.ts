import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address that one subscriber has; all that follow are its own choice. */
const SUBSCRIBER_BITS = 64;

/** What one subscriber has: an IPv4 address, or the /64 of an IPv6 one. A text that is no address stays as it is. */
export function subscriberNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()}/${SUBSCRIBER_BITS}`;
}
