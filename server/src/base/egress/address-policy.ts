import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/** Which addresses requests for user code and imported apps may reach. */
export interface AddressPolicy {
  /** Private hosts (`name` or `name:port`) that the operator allows. */
  readonly allowedPrivateHosts: readonly string[];
  /** Ports of this machine at which this server listens: only `name:port` opens them (WIRE-71). Read with each request. Default none. */
  readonly ownPorts?: ReadonlySet<number>;
}

/** Which addresses a host and port may stand for: any, any but this server, or public ones. */
export type Opening = "any" | "others" | "public";

/** Why an address is blocked; undefined when it is not. Only public unicast addresses are allowed by default. */
export function blockedReason(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return `'${address}' is not an IP address`;
  const parsed = ipaddr.process(address);
  if (OF_THE_HOST.has(parsed.toString())) return `${address} is an address of the cloud's host`;
  const range = rangeOf(parsed);
  if (range === "unicast") return undefined;
  const embedded = embeddedIpv4(parsed);
  if (embedded) return blockedReason(embedded);
  return `${address} is a ${RANGE_WORDS[range] ?? range} address`;
}

/** What the operator opens at this host and port. */
export function openingOf({ allowedPrivateHosts, ownPorts }: AddressPolicy, host: string, port: number): Opening {
  if (allowedPrivateHosts.includes(`${host}:${port}`)) return "any";
  if (!allowedPrivateHosts.includes(host)) return "public";
  return ownPorts?.has(port) ? "others" : "any";
}

/** Why an address is blocked for a host with this opening; undefined when it is not. */
export function closedReason(opening: Opening, address: string): string | undefined {
  if (opening === "public") return blockedReason(address);
  return opening === "others" && isOfThisMachine(address) ? "the port is this server's own" : undefined;
}

function isOfThisMachine(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (["loopback", "unspecified"].includes(parsed.range())) return true;
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  return own.some((each) => ipaddr.process(each).toNormalizedString() === parsed.toNormalizedString());
}

/** Addresses that are public by their range and answer machines of one cloud alone, with their secrets: the wire server of Azure. */
const OF_THE_HOST: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** The first 96 bits of `::7f00:1`, which is `::127.0.0.1`: IPv4-compatible addresses (RFC 4291, 2.5.5.1), which nothing public has. */
const COMPATIBLE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("::"), 96];

function rangeOf(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const range = address.range();
  return range === "unicast" && address instanceof ipaddr.IPv6 && address.match(COMPATIBLE) ? "reserved" : range;
}

const RANGE_WORDS: Readonly<Record<string, string>> = {
  private: "private",
  uniqueLocal: "private",
  loopback: "loopback",
  linkLocal: "link-local",
  unspecified: "unspecified",
  carrierGradeNat: "carrier-private",
};

/** NAT64 and 6to4 addresses contain an IPv4 address, whose range decides. */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): string | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const bytes = address.toByteArray();
  if (address.range() === "rfc6052") return bytes.slice(12).join(".");
  if (address.range() === "6to4") return bytes.slice(2, 6).join(".");
  return undefined;
}
