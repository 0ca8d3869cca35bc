import { connect, isIP, type LookupFunction, Socket } from "node:net";
import { type AddressPolicy, isAllowedHost } from "./address-policy.ts";
import type { EgressError } from "./egress-error.ts";
import { checkedLookup, plainLookup, type Resolve, rejectBlockedAddress } from "./lookup.ts";

/** Opens sockets to addresses that the policy allows. */
type OpenSocket = (host: string, port: number) => Socket;

/** Creates what opens sockets: each connects to an address that was checked, as requests do. */
export function createOpenSocket(policy: AddressPolicy, resolve: Resolve): OpenSocket {
  const checked = checkedLookup(resolve);
  const unchecked = plainLookup(resolve);
  return (host, port) => {
    const isAllowed = isAllowedHost(policy, host, port);
    const refused = isAllowed ? undefined : refusalOf(host);
    if (refused) return new Socket().destroy(refused);
    return open(host, port, isAllowed ? unchecked : checked);
  };
}

function open(host: string, port: number, lookup: LookupFunction): Socket {
  return connect({ host, port, lookup, noDelay: true, keepAlive: true });
}

/** A literal address is not looked up, so it is checked before. */
function refusalOf(host: string): EgressError | undefined {
  if (!isIP(host)) return undefined;
  try {
    rejectBlockedAddress(host, host);
    return undefined;
  } catch (error) {
    return error as EgressError;
  }
}
