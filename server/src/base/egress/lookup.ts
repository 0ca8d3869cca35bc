import type { LookupFunction } from "node:net";
import { refusalOf } from "./address-policy.ts";
import { EgressError } from "./egress-error.ts";

/** Resolves a host name to addresses; injected in tests. */
export type Resolve = (host: string) => Promise<Addresses>;

type Addresses = readonly { readonly address: string; readonly family: number }[];

/** The connection goes to the very address that was checked, so a second DNS answer cannot swap it. */
export function checkedLookup(resolve: Resolve): LookupFunction {
  return lookupWith(resolve, (host, addresses) => {
    const open = addresses.filter(({ address }) => refusalOf(address) === undefined);
    if (open.length === 0) throw closedHost(host, addresses[0]?.address);
    return open;
  });
}

/** For hosts that the operator opened. */
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
          if (!first) return callback(closedHost(host, undefined), "");
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

/** The refusal of a literal address; nothing when it is open. */
export function refuseWhenClosed(host: string, address: string): void {
  const why = refusalOf(address);
  if (why) throw new EgressError("refused", refusalText(host, why));
}

function closedHost(host: string, address: string | undefined): EgressError {
  const why = address ? refusalOf(address) : "it has no address";
  return new EgressError("refused", refusalText(host, why ?? "it is closed"));
}

function refusalText(host: string, why: string): string {
  return `Requests to '${host}' are refused: ${why}. The operator can open it with FRONTDESK_EGRESS_ALLOW=${host}`;
}
