import { connect, isIP, type LookupFunction, Socket } from "node:net";
import { type AddressPolicy, type Opening, openingOf } from "./address-policy.ts";
import type { EgressError } from "./egress-error.ts";
import { checkedLookup, type Resolve, rejectBlockedAddress } from "./lookup.ts";

/** Opens sockets to addresses that the policy allows. */
type OpenSocket = (host: string, port: number) => Socket;

/** Creates what opens sockets: each connects to an address that was checked, as requests do. */
export function createOpenSocket(policy: AddressPolicy, resolve: Resolve): OpenSocket {
  return (host, port) => {
    const opening = openingOf(policy, host, port);
    const refused = refusalOf(host, opening);
    if (refused) return new Socket().destroy(refused);
    return open(host, port, checkedLookup(resolve, opening));
  };
}

function open(host: string, port: number, lookup: LookupFunction): Socket {
  return connect({ host, port, lookup, noDelay: true, keepAlive: true });
}

/** A literal address is not looked up, so it is checked before. */
function refusalOf(host: string, opening: Opening): EgressError | undefined {
  if (!isIP(host)) return undefined;
  try {
    rejectBlockedAddress(host, host, opening);
    return undefined;
  } catch (error) {
    return error as EgressError;
  }
}
