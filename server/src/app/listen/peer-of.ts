import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { Peer } from "#base";

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The range of `10.0.0.0/8` or of one address; undefined for another text. */
export function addressRange(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/**
 * Where requests come from. A trusted proxy says for whom it asks, in `X-Forwarded-For`, to whose end each proxy adds the address that it sees: the last
 * one that is not a trusted proxy is the client. What clients write before it counts for nothing. `proxies`: addresses and ranges.
 */
export function createPeerOf(proxies: readonly string[]): (request: IncomingMessage) => Peer {
  const trustedProxies = proxies.map(addressRange).filter((range) => range !== undefined);
  /** Of open connections: most carry many requests. */
  const addresses = new WeakMap<object, string>();
  return ({ socket, headers }) => {
    const direct = addresses.get(socket) ?? plain(socket.remoteAddress ?? "");
    addresses.set(socket, direct);
    if (trustedProxies.length === 0 || !isTrusted(direct, trustedProxies)) return { address: direct };
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    const chain = forwarded.map((text) => plain(text.trim())).filter((text) => text !== "");
    return { address: chain.findLast((address) => !isTrusted(address, trustedProxies)) ?? chain[0] ?? direct };
  };
}

/** IPv4 addresses of IPv6 sockets as IPv4; "" for a text that is no address. */
function plain(text: string): string {
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : "";
}

function isTrusted(address: string, ranges: readonly Range[]): boolean {
  if (address === "") return false;
  const parsed = ipaddr.parse(address);
  return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match([range, bits] as never));
}
