import type { LookupFunction } from "node:net";
import { blockedReason } from "./address-policy.ts";
import { EgressError } from "./egress-error.ts";

/** Resolves a host name to addresses; injected in tests. */
export type Resolve = (host: string) => Promise<Addresses>;

type Addresses = readonly { readonly address: string; readonly family: number }[];

/** Connects to the address that was checked, so that a second DNS response cannot replace it (DNS rebinding). */
export function checkedLookup(resolve: Resolve): LookupFunction {
  return lookupWith(resolve, (host, addresses) => {
    const allowed = addresses.filter(({ address }) => blockedReason(address) === undefined);
    if (allowed.length === 0) throw blockedHost(host, addresses[0]?.address);
    return allowed;
  });
}

/** For hosts that the operator allows. */
export function plainLookup(resolve: Resolve): LookupFunction {
  return lookupWith(resolve, (_, addresses) => addresses);
}

function lookupWith(resolve: Resolve, choose: (host: string, addresses: Addresses) => Addresses): LookupFunction {
  return (host, options, callback) => {
    resolve(host)
      .then((addresses) => choose(host, addresses))
      .then(
        (addresses) => {
          const [first] = addresses;
          if (!first) return callback(blockedHost(host, undefined), "");
          if (options.all)
            return callback(
              null,
              addresses.map(({ address, family }) => ({ address, family })),
            );
          return callback(null, first.address, first.family);
        },
        (error: NodeJS.ErrnoException) => callback(error, ""),
      );
  };
}

/** Throws `EgressError` for a literal address that is blocked. */
export function rejectBlockedAddress(host: string, address: string): void {
  const why = blockedReason(address);
  if (why) throw new EgressError("refused", blockedMessage(host, why));
}

function blockedHost(host: string, address: string | undefined): EgressError {
  const why = address ? blockedReason(address) : "it has no address";
  return new EgressError("refused", blockedMessage(host, why ?? "it is blocked"));
}

function blockedMessage(host: string, why: string): string {
  return `Requests to '${host}' are refused: ${why}. The operator can open it with FRONTDESK_EGRESS_ALLOW=${host}`;
}
