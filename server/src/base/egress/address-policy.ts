import ipaddr from "ipaddr.js";

/** Which addresses requests for user code and imported apps may reach. */
export interface AddressPolicy {
  /** Private hosts (`name` or `name:port`) that the operator allows. */
  readonly allowedPrivateHosts: readonly string[];
}

/** Why an address is blocked; undefined when it is not. Only public unicast addresses are allowed by default. */
export function blockedReason(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return `'${address}' is not an IP address`;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "unicast") return undefined;
  const embedded = embeddedIpv4(parsed);
  if (embedded) return blockedReason(embedded);
  return `${address} is a ${RANGE_WORDS[range] ?? range} address`;
}

/** Whether the operator allows this host and port. */
export function isAllowedHost(policy: AddressPolicy, host: string, port: number): boolean {
  return policy.allowedPrivateHosts.some((allowed) => allowed === host || allowed === `${host}:${port}`);
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
